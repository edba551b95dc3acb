/** The package.json of each folder of `packages`, and the ranges of the catalog. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Ranges = Readonly<Record<string, string>>;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly license?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly publishConfig?: { readonly access?: string } & Readonly<Record<string, unknown>>;
  readonly files?: readonly string[];
  readonly sideEffects?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly devDependencies?: Ranges;
}

/** A folder of `packages`. */
export interface PackageFolder {
  /** From the root, such as `packages/api`. */
  readonly path: string;
  readonly manifest: Manifest;
  /** Its README; undefined without one. */
  readonly readme: string | undefined;
}

export function readPackages(root: string): readonly PackageFolder[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
    .map((name) => {
      const folder = join(root, 'packages', name);
      const readme = join(folder, 'README.md');
      return {
        path: `packages/${name}`,
        manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest,
        readme: existsSync(readme) ? readFileSync(readme, 'utf8') : undefined,
      };
    });
}

/** The range of each outside library. */
export function readCatalog(root: string): Ranges {
  const { catalog } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as { readonly catalog: Ranges };
  return catalog;
}
