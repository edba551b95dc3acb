/** A module that the agent reads from a ConfigMap. */
import type { WasmSourceField } from './field.ts';

export const configMapSource: WasmSourceField<'configMapSource'> = {
  kind: 'configMap',
  capabilities: { 'wasm.configMap': 'native' },
  reference: (source) => source,
};
