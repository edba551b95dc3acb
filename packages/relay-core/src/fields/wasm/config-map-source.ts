/** spec.filters[].configMapSource */
import type { WasmSourceField } from './field.ts';

export interface WasmConfigMapSourceView {
  readonly kind: 'configMap';
  readonly namespace: string;
  readonly name: string;
  /** The key in its binary data. */
  readonly key: string;
  readonly sha256?: string;
}

export const configMapSource: WasmSourceField<WasmConfigMapSourceView, 'wasm.configMap'> = {
  kind: 'configMap',
  capabilities: { 'wasm.configMap': 'spec.filters.configMapSource' },
  requires: () => ['wasm.configMap'],
};
