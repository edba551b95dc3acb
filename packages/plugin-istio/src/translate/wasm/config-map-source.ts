/** Istio has no API for modules of ConfigMaps. */
import type { WasmSourceField } from './field.ts';

export const configMapSource: WasmSourceField<'configMapSource'> = {
  kind: 'configMap',
  capabilities: {
    'wasm.configMap': { unsupported: "Istio's proxies fetch modules from a URL or an image registry; use one of them" },
  },
};
