/** Files of the CRDs that meshes install, to validate generated objects against. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharedPath } from './shared.ts';

const TELEMETRY = fileURLToPath(new URL('../data/istio-telemetry-crd.yaml', import.meta.url));
const WASM_PLUGIN = fileURLToPath(new URL('../data/istio-wasm-plugin-crd.yaml', import.meta.url));

/** Paths of YAML and JSON files, for `crdValidator` of plugin-kit; undefined if this machine has no copy. */
export function meshCrdFiles(mesh: 'istio' | 'osm'): readonly string[] | undefined {
  if (mesh === 'istio') {
    const file = sharedPath('oracles', 'istio', 'crds-min.json');
    return file === undefined ? undefined : [file, TELEMETRY, WASM_PLUGIN];
  }
  const folder = sharedPath('oracles', 'smi');
  if (folder === undefined) return undefined;
  const files = readdirSync(folder).filter((file) => file.startsWith('osm-'));
  return files.map((file) => join(folder, file));
}
