// Values of fields in the files that the task pages show.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';

/** The examples of the task pages. */
export interface Examples {
  /**
   * A value of a field of a kind, as YAML in one line: of this kind, or of a field with the same end in another kind.
   */
  valueOf(kind: string, path: string): string | undefined;
  /** The pages with an object of the kind: their titles by file name. */
  pagesOf(kind: string): ReadonlyMap<string, string>;
}

/** YAML blocks that the sample fleet accepts; blocks marked as a mistake or a fragment are left out. */
const BLOCK = /^```yaml\n([\s\S]*?)^```$/gm;
const MAX_LENGTH = 60;

/** Reads the examples from the task pages in `folder`. */
export function readExamples(folder: string): Examples {
  const values = new Map<string, string>();
  const pages = new Map<string, Map<string, string>>();
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.md')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    for (const object of objectsIn(text)) {
      const kind = String(object['kind']);
      const titles = pages.get(kind) ?? new Map<string, string>();
      pages.set(kind, titles.set(name, /^# (.*)$/m.exec(text)?.[1] ?? name));
      collect(object['spec'], `${kind}.spec`, values);
    }
  }
  const shared = [...values].reverse().map(([path, value]) => [endOf(path), value] as const);
  const byEnd = new Map(shared.filter(([end]) => !end.startsWith('spec.')));
  return {
    valueOf: (kind, path) => values.get(`${kind}.${path}`) ?? byEnd.get(endOf(path)),
    pagesOf: (kind) => pages.get(kind) ?? new Map(),
  };
}

/** The last two names of a path: the type of the field, for nearly all fields. */
function endOf(path: string): string {
  return path.split('.').slice(-2).join('.');
}

function objectsIn(page: string): Readonly<Record<string, unknown>>[] {
  return [...page.matchAll(BLOCK)].flatMap(([, text = '']) =>
    parseAllDocuments(text).map((document) => (document.toJS() ?? {}) as Record<string, unknown>),
  );
}

function collect(value: unknown, path: string, into: Map<string, string>): void {
  if (value === undefined || value === null) return;
  const text = inline(value);
  if (!into.has(path) && text.length <= MAX_LENGTH) into.set(path, text);
  if (Array.isArray(value)) for (const item of value) collect(item, path, into);
  else if (typeof value === 'object')
    for (const [name, child] of Object.entries(value)) collect(child, `${path}.${name}`, into);
}

function inline(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }).trim();
}
