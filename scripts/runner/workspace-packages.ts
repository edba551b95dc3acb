/** The packages of the workspace, and the files that importing one of them loads. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Manifest } from '../imports/source.ts';

/** The manifests by folder from the root. */
export function manifestsIn(root: string): Map<string, Manifest> {
  const paths = globSync(['*/package.json', '{packages,tools}/*/package.json'], { cwd: root });
  const manifests = paths.map((path) => [posix.dirname(path), readManifest(join(root, path))] as const);
  return new Map(manifests.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The manifest and the source of a specifier such as `@meshrelay/pki/server`; empty for an unknown package. */
export function resolvePackage(specifier: string, manifests: ReadonlyMap<string, Manifest>): string[] {
  const [scope = '', name = '', ...rest] = specifier.split('/');
  const found = [...manifests].find(([, manifest]) => manifest.name === `${scope}/${name}`);
  if (!found) return [];
  const [folder, { exports = {} }] = found;
  const target = exports[rest.length === 0 ? '.' : `./${rest.join('/')}`];
  const source = typeof target === 'string' ? [posix.join(folder, target)] : [];
  return [`${folder}/package.json`, ...source];
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
