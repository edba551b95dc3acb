/** The Markdown files that are pages of the site. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Markdown files become pages, relative to the root of the checkout. */
const SOURCES = [
  'docs/**/*.md',
  'charts/*/README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'GLOSSARY.md',
  'SECURITY.md',
];

/** A page. */
export interface Page {
  /** The file, relative to the root of the checkout: `docs/tasks/README.md`. */
  readonly file: string;
  /** The file as the site has it, which is also the page's URL: `tasks/index.md`. */
  readonly route: string;
  /** Its first heading. */
  readonly title: string;
}

/** By file. */
export type Pages = ReadonlyMap<string, Page>;

/** @param root the root of the checkout */
export function readPages(root: string): Pages {
  const files = globSync(SOURCES, { cwd: root }).sort();
  return new Map(files.map((file) => [file, { file, route: routeOf(file), title: titleOf(join(root, file)) }]));
}

function routeOf(file: string): string {
  return file
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.md')
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());
}

/** @throws Error if the file has no heading */
function titleOf(path: string): string {
  const [, heading] = /^# (.+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
  if (heading === undefined) throw new Error(`${path}: expected a heading "# TITLE"; pages are listed by it`);
  return heading.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}

/** Patterns of the files below the root that are not read for pages. */
export function excludedFiles(root: string): string[] {
  const used = new Set(SOURCES.map((source) => source.split('/')[0]));
  const others = readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !used.has(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/**` : entry.name));
  return [...others, 'charts/*.md', 'charts/*/!(README).md', 'charts/*/*/**', '**/node_modules/**'];
}
