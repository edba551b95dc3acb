/** The npm packages whose code is in a program, with their licences. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As an SPDX expression. */
  readonly licence: string;
  /** The texts of its licence files. */
  readonly texts: readonly string[];
}

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-]|$)/i;

/**
 * @param root the folder that the paths begin at
 * @param folders as a build names them
 * @returns each version once, in order of names
 */
export function bundledPackages(root: string, folders: readonly string[]): readonly BundledPackage[] {
  const packages = new Map(
    folders.map((folder) => {
      const read = readPackage(join(root, folder));
      return [`${read.name}@${read.version}`, read];
    }),
  );
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, read]) => read);
}

/** @throws Error for a package without a licence */
function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;
  const licence = typeof license === 'object' ? license.type : license;
  if (licence === undefined)
    throw new Error(
      `images: ${name} ${version} has no licence in its package.json; a package without one cannot ship.`,
    );
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return { name, version, licence, texts };
}
