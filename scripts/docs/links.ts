/**
 * Links of the documents to files and headings of the checkout, also by their address in the repository. Other external
 * addresses are not checked.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const LEFT_OUT = new Set(['node_modules', 'dist', 'fixtures', 'golden', '.cache', '.git']);
/** `[text](target)` and `[name]: target`, but no footnote `[^name]: text`. */
const LINKS = /\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]^][^\]]*\]:\s*(\S+)/gm;
const CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm;
/** Documents of published packages link to the repository. */
const IN_REPOSITORY = /^https:\/\/github\.com\/meshrelay\/meshrelay\/(?:blob|tree)\/main\//;
const HEADING = /^#{1,6}\s+(.*)$/gm;

/** Text of each Markdown file by its path from the root. */
export function readDocuments(root: string): Map<string, string> {
  const paths = globSync('**/*.md', { cwd: root, exclude: (name) => LEFT_OUT.has(name) }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** One line for each link to a missing file, folder or heading. */
export function findDeadLinks(root: string, documents: ReadonlyMap<string, string>): string[] {
  return [...documents].flatMap(([path, text]) =>
    linksOf(text)
      .filter((link) => IN_REPOSITORY.test(link) || !/^[a-z][a-z+.-]*:/i.test(link))
      .filter((link) =>
        IN_REPOSITORY.test(link)
          ? !leadsSomewhere(root, 'README.md', link.replace(IN_REPOSITORY, ''), documents)
          : !leadsSomewhere(root, path, link, documents),
      )
      .map((link) => `${path}: links to ${link}, which does not exist; correct the link or its target`),
  );
}

function linksOf(text: string): string[] {
  return [...text.replace(CODE, '').matchAll(LINKS)].map((match) => match[1] ?? match[2] ?? '');
}

function leadsSomewhere(root: string, from: string, link: string, documents: ReadonlyMap<string, string>): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? from : relative(root, join(root, dirname(from), decodeURI(path)));
  if (target.startsWith('..') || !existsSync(join(root, target))) return false;
  return heading === undefined || anchorsOf(documents.get(target) ?? '').has(heading);
}

/** The anchors that Markdown viewers give to the headings. */
function anchorsOf(text: string): Set<string> {
  const titles = [...text.matchAll(HEADING)].map((match) => match[1] ?? '');
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
