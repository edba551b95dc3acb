/** `jsr.json` of the packages that are published on JSR too: their sources, with the entries and the version of npm's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PackageFolder, readPackages } from './manifest.ts';
import { type Ranges, rangesOf } from './published.ts';

/** Packages that run without Node's modules, and what they depend on. The others are programs or parts of them. */
const ON_JSR: ReadonlySet<string> = new Set([
  'agent-leader',
  'api',
  'concurrency',
  'envoy-api',
  'plugin',
  'plugin-envoy',
  'plugin-istio',
  'plugin-kit',
  'plugin-osm',
  'relay-core',
]);

/** The text of the file; undefined for a package that JSR does not have. */
export function jsrManifest({ path, manifest }: PackageFolder, { catalog, versions }: Ranges): string | undefined {
  if (!ON_JSR.has(path.replace('packages/', ''))) return undefined;
  const { name, version, license, exports = {}, dependencies = {}, peerDependencies = {} } = manifest;
  const imports = Object.entries({ ...dependencies, ...peerDependencies })
    .map(([library, range]) => {
      const own = versions.get(library);
      if (own !== undefined) return [library, `jsr:${library}@^${own}`];
      return [library, `npm:${library}@${range === 'catalog:' ? catalog[library] : range}`];
    })
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const modules = Object.entries(exports).filter(([, target]) => String(target).endsWith('.ts'));
  const document = {
    name,
    version,
    license,
    exports: Object.fromEntries(modules),
    imports: Object.fromEntries(imports),
    publish: { include: ['README.md', 'src/**/*.ts'] },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Writes the file of each package that JSR has. */
export function writeJsrManifests(root: string): void {
  const folders = readPackages(root);
  const ranges = rangesOf(root, folders);
  for (const folder of folders) {
    const text = jsrManifest(folder, ranges);
    if (text !== undefined) writeFileSync(join(root, folder.path, 'jsr.json'), text);
  }
}

/** What differs between the file of a package and what it should be, with what to do. */
export function jsrProblem({ path }: PackageFolder, found: string | undefined, expected: string | undefined): string[] {
  if (found === expected) return [];
  const what = expected === undefined ? 'JSR does not have this package; delete the file' : UPDATE;
  return [`${path}/jsr.json: ${what}`];
}

const UPDATE =
  'it must name the entries, version and imports of package.json; run `npm run exec -- node scripts/check-packages.ts --update`';
