/** A package as its tarball has it: the files, and the package.json that pnpm writes. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type PackageFolder, readCatalog } from './manifest.ts';

export interface PublishedFile {
  readonly name: string;
  readonly data: string;
}

export interface Ranges {
  /** The range of each outside library. */
  readonly catalog: Readonly<Record<string, string>>;
  /** The version of each package of the workspace. */
  readonly versions: ReadonlyMap<string, string>;
}

export function rangesOf(root: string, folders: readonly PackageFolder[]): Ranges {
  const versions = new Map(folders.map(({ manifest: { name, version } }) => [name, version]));
  return { catalog: readCatalog(root), versions };
}

/** The folder of the files, as npm packs them. */
export const PACKED = '/package';

/** @throws Error if the package is not built */
export function publishedFiles(root: string, folder: PackageFolder, ranges: Ranges): readonly PublishedFile[] {
  const { manifest, path, readme = '' } = folder;
  if (!existsSync(join(root, path, 'dist')))
    throw new Error(`${path} has no dist; run \`npm run exec -- tsc -b\` first`);
  const entries = (manifest.files ?? []).filter((entry) => !entry.startsWith('!'));
  const left = new Set((manifest.files ?? []).flatMap((entry) => (entry.startsWith('!') ? entry.slice(1) : [])));
  const packed = entries
    .flatMap((entry) => filesBelow(join(root, path), entry))
    .filter((name) => !left.has(name))
    .map((name) => ({ name: `${PACKED}/${name}`, data: readFileSync(join(root, path, name), 'utf8') }));
  return [
    { name: `${PACKED}/package.json`, data: JSON.stringify(publishedManifest(folder, ranges)) },
    { name: `${PACKED}/README.md`, data: readme },
    { name: `${PACKED}/LICENSE`, data: readFileSync(join(root, 'LICENSE'), 'utf8') },
    ...packed,
  ];
}

/** Files of `dist` that no source makes any longer: the compiler does not delete what it once wrote. */
export function staleFiles(files: readonly PublishedFile[]): readonly string[] {
  // A bundle is made as a whole, and comes without sources.
  if (!files.some(({ name }) => name.startsWith(`${PACKED}/src/`))) return [];
  const names = new Set(files.map(({ name }) => name.slice(PACKED.length + 1)));
  return [...names].filter((name) => {
    const [, path] = /^dist\/(.+)\.js$/.exec(name) ?? [];
    if (path === undefined || names.has(`src/${path}.ts`)) return false;
    // A program that the package also has: such a folder has a package.json of its own.
    return !names.has(`${posix.dirname(name)}/package.json`);
  });
}

function filesBelow(folder: string, entry: string): readonly string[] {
  if (!statSync(join(folder, entry)).isDirectory()) return [entry];
  return readdirSync(join(folder, entry)).flatMap((name) => filesBelow(folder, `${entry}/${name}`));
}

/** With the fields that pnpm takes from `publishConfig`, and with ranges in place of `workspace:` and `catalog:`. */
function publishedManifest({ manifest }: PackageFolder, { catalog, versions }: Ranges): object {
  const { publishConfig = {}, ...fields } = manifest;
  const { access: _access, provenance: _provenance, ...published } = publishConfig;
  const resolved = (dependencies: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) => {
        if (range === 'catalog:') return [name, catalog[name] ?? range];
        if (range.startsWith('workspace:'))
          return [
            name,
            range
              .slice('workspace:'.length)
              .replace(/^[*^]$/, (sign) => `${sign === '^' ? '^' : ''}${versions.get(name)}`),
          ];
        return [name, range];
      }),
    );
  return {
    ...fields,
    ...published,
    dependencies: resolved(manifest.dependencies),
    peerDependencies: resolved(manifest.peerDependencies),
    devDependencies: resolved(manifest.devDependencies),
  };
}
