/** The CRDs that real meshes serve. */
import { join } from 'node:path';
import { sharedPath } from '@meshrelay/testing';
import type { InstallableCrd } from '@meshrelay/testing/custom-resources';
import { goModuleFolder } from '@meshrelay/testing/go';
import { documentsOf, yamlFiles } from './documents.ts';
import { goFolder } from './go-folder.ts';

/** Istio's CRDs, CEL included, from its Go module. */
export async function istioCrds(): Promise<InstallableCrd[]> {
  return crdsIn(await istioCrdFile());
}

/** The path of the file with them, fetched once. */
export async function istioCrdFile(): Promise<string> {
  const folder = await goModuleFolder(goFolder('istio-api'), 'istio.io/api');
  return join(folder, 'kubernetes', 'customresourcedefinitions.gen.yaml');
}

export function crdsIn(file: string): InstallableCrd[] {
  return documentsOf(file) as unknown as InstallableCrd[];
}

/** OSM's CRDs, with the SMI kinds that it serves; undefined if this machine has no copy. */
export function osmCrds(): InstallableCrd[] | undefined {
  const folder = sharedPath('oracles', 'smi');
  if (folder === undefined) return undefined;
  const objects = yamlFiles(folder, (name) => name.startsWith('osm-')).flatMap(documentsOf);
  return objects.filter(({ kind }) => kind === 'CustomResourceDefinition') as unknown as InstallableCrd[];
}
