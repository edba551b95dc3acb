/** The libraries in the program that an npm package contains. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundledPackages, npmComponent } from '@meshrelay/images';
import type { Component, Sbom } from './sbom.ts';

/** The folder in which pnpm installs a package with its version; a scoped name has `+` in place of `/`. */
const INSTALLED = /^(node_modules\/\.pnpm\/(@?[^@/]+)@[^/]+)\//;

/** @param folder of the built program; its source maps name the files that went in */
export function bundleSbom(root: string, folder: string, component: Component): Sbom {
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as SourceMap).sources)
    .flatMap((source) => {
      const [, place, name] = INSTALLED.exec(relative(root, join(folder, source))) ?? [];
      return place === undefined ? [] : `${place}/node_modules/${name?.replace('+', '/')}`;
    });
  const components = bundledPackages(root, [...new Set(sources)].sort()).map(npmComponent);
  const ref = component['bom-ref'];
  return {
    metadata: { component },
    components,
    dependencies: [{ ref, dependsOn: components.map((library) => library['bom-ref']) }],
  };
}

interface SourceMap {
  readonly sources: readonly string[];
}
