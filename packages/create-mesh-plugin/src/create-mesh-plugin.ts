/** Creates a package with a mesh plugin from the template. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface CreationOptions {
  /** The mesh: a DNS label, such as `my-mesh`. */
  readonly name: string;
  /** Where the package is created: a folder that does not exist, or is empty. */
  readonly folder: string;
  /** The folder of the template; that of this package when omitted. */
  readonly template?: string;
  /** Version of plugin-kit that the package is tested with; that of this package when omitted. */
  readonly version?: string;
}

/** Bad input: the message names it, with the next action. */
export class CreationError extends Error {
  override readonly name = 'CreationError';
}

/** The mesh of the template, as it stands in names of files and in texts. */
const MESH = 'my-mesh';
const VARIABLE = 'myMesh';
const VERSION = '0.0.0-kit';
const ROOT = join(import.meta.dirname, '..');
const DNS_LABEL = /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/;

/**
 * Creates the package. Nothing is installed.
 * @returns the paths of its files, relative to its folder, sorted
 * @throws CreationError if the name or the folder cannot be used
 */
export function createMeshPlugin({
  name,
  folder,
  template = join(ROOT, 'template'),
  version = ownVersion(),
}: CreationOptions): readonly string[] {
  if (!DNS_LABEL.test(name))
    throw new CreationError(
      `the mesh is named "${name}"; expected lower case letters, digits and -, at most 40, beginning with a letter, such as my-mesh`,
    );
  refuseUsed(folder);
  const variable = name.replaceAll(/-+(.)/g, (_, letter: string) => letter.toUpperCase());
  const named = (text: string): string =>
    text.replaceAll(MESH, name).replaceAll(VARIABLE, variable).replaceAll(VERSION, version);
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(resolve(template).length + 1))
    .sort();
  return files.map((file) => {
    const path = named(targetOf(file));
    write(join(folder, path), named(readFileSync(join(template, file), 'utf8')));
    return path;
  });
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (cause) {
    throw new CreationError(`${path} cannot be written: ${(cause as Error).message}; give another folder`, { cause });
  }
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  return version;
}

/** Names that tools give a meaning have a leading `_` in the template; npm packs no `.gitignore`. */
function targetOf(file: string): string {
  if (file === '_gitignore') return '.gitignore';
  return file.startsWith('_') ? file.slice(1) : file;
}

function refuseUsed(folder: string): void {
  let found: readonly string[];
  try {
    found = readdirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new CreationError(`${folder}: ${(cause as Error).message}; give another folder`, { cause });
  }
  if (found.length > 0) throw new CreationError(`${folder} has files already; give a folder that does not exist`);
}
