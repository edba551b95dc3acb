// The generated module with the interfaces' doc comments for run time, where CRDs read them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { interfaceDocs } from './interface-docs.ts';

/** The folders with interfaces of API objects. */
const FOLDERS = [
  'admin',
  'agent',
  'certificates',
  'discovery',
  'extensions',
  'kube',
  'multicluster',
  'networking',
  'shared',
];

/** The text of the module, for the sources in `folder`. */
export function descriptionsModule(folder: string): string {
  const docs = [...interfaceDocs(FOLDERS.flatMap((name) => sources(join(folder, name))))];
  const sorted = docs.filter(([, text]) => text !== '').sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    '// Generated from the doc comments of the interfaces by scripts/generate.ts; run `node packages/api/scripts/generate.ts`.',
    '',
    '/** What the interfaces and their fields mean, by `Interface` and `Interface.field`. */',
    `export const descriptions: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(sorted), null, 2)};`,
    '',
  ].join('\n');
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
