/** Istio has no API for modules of ConfigMaps. */
import type { WasmSourceField } from './field.ts';

export const configMapSource: WasmSourceField<'configMapSource'> = {
  kind: 'configMap',
  capabilities: {
    'wasm.configMap': { unsupported: "Istio's proxies fetch modules by address or as images; serve it by either" },
  },
};
