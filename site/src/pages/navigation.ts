/** The sidebar: the tables of docs/README.md in their order, then the other pages of the same folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { siteLink } from './links.ts';
import type { Page, Pages } from './pages.ts';

const OVERVIEW = 'docs/README.md';

/** The folders whose pages belong to a section of the overview, by its heading. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  Understand: ['docs/concepts/'],
  Do: ['docs/tasks/'],
  Decide: [],
  Reference: ['docs/reference/', 'charts/'],
  Operate: ['docs/operations/'],
  'Extend and contribute': [],
};

/** @throws Error for a heading of the overview without folders, and for pages that are in no section */
export function sidebarOf(root: string, pages: Pages): DefaultTheme.SidebarItem[] {
  const byRoute = new Map([...pages.values()].map((page) => [`/${page.route}`, page]));
  const overview = readFileSync(join(root, OVERVIEW), 'utf8');
  const listed = new Set<Page>([...pages.values()].filter(({ file }) => file === OVERVIEW));
  const linked = (markdown: string): Page[] =>
    [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      const page = byRoute.get(siteLink(pages, OVERVIEW, link).replace(/#.*/, ''));
      if (page === undefined || listed.has(page)) return [];
      listed.add(page);
      return [page];
    });
  const [introduction = '', ...sections] = overview.split(/^## /m);
  const groups = [group('Start', linked(introduction))];
  for (const section of sections) {
    const heading = section.slice(0, section.indexOf('\n'));
    const folders = FOLDERS[heading];
    if (folders === undefined)
      throw new Error(
        `${OVERVIEW}: no folder is known for section "${heading}"; add it to site/src/pages/navigation.ts`,
      );
    const first = linked(section);
    const others = [...pages.values()].filter(
      (page) => !listed.has(page) && folders.some((folder) => page.file.startsWith(folder)),
    );
    for (const page of others) listed.add(page);
    groups.push(group(heading, [...first, ...others]));
  }
  const decisions = [...pages.values()].filter((page) => page.file.startsWith('docs/adr/') && !listed.has(page));
  for (const page of decisions) listed.add(page);
  groups.push({ ...group('Decisions', decisions), collapsed: true });
  const lost = [...pages.values()].filter((page) => !listed.has(page));
  if (lost.length > 0)
    throw new Error(`${lost.map(({ file }) => file).join(', ')}: in no section; link to it from ${OVERVIEW}`);
  return groups;
}

function group(text: string, pages: readonly Page[]): DefaultTheme.SidebarItem {
  return { text, items: pages.map(({ title, route }) => ({ text: title, link: `/${route.replace(/\.md$/, '')}` })) };
}
