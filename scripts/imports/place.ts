/** The place of a file in the workspace, which determines its rules. */
import type { Manifest, Workspace } from './source.ts';

export interface Place {
  /** The folder of its package from the root; '' for the root's own. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** The name below `packages/`; undefined for tools, scripts and other files that are not part of the product. */
  readonly packageName: string | undefined;
  /** Whether its package ships it. */
  readonly shipped: boolean;
}

/** The place of a file, by the nearest package.json above it. */
export function placeOf(file: string, { manifests }: Pick<Workspace, 'manifests'>): Place {
  let folder = file;
  do folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
  while (folder !== '' && !manifests.has(folder));
  const manifest = manifests.get(folder);
  if (!manifest) throw new Error(`no package.json above ${file}: expected one at least in the root`);
  const packageName = folder.startsWith('packages/') ? folder.slice('packages/'.length) : undefined;
  const shipped = packageName !== undefined && file.startsWith(`${folder}/src/`);
  return { folder, manifest, packageName, shipped };
}
