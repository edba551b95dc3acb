/** The sources of the workspace, read once: the input of the rules. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The fields of a package.json that the rules read. */
export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Workspace {
  /** By folder from the root; '' is the root itself. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Text of each TypeScript source by path from the root. */
  readonly files: ReadonlyMap<string, string>;
}

const FOLDERS = [
  'packages',
  'tools',
  'scripts',
  'demo',
  'bench',
  'e2e',
  'examples',
  'faults',
  'properties',
  'simulation',
  'site',
];
const LEFT_OUT = new Set(['node_modules', 'dist', 'fixtures', 'golden']);

/** Reads every manifest and TypeScript source below a root. */
export function readWorkspace(root: string): Workspace {
  const find = (pattern: string): string[] =>
    globSync(pattern, { cwd: root, exclude: (name) => LEFT_OUT.has(name) }).sort();
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const manifests = ['package.json', ...find(`{${FOLDERS.join(',')}}/**/package.json`)];
  return {
    manifests: new Map(manifests.map((path) => [folderOf(path), JSON.parse(read(path)) as Manifest])),
    files: new Map(find(`{${FOLDERS.join(',')}}/**/*.ts`).map((path) => [path, read(path)])),
  };
}

/** The folder of a path from the root; '' for files in the root. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}
