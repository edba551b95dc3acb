/** `phase`. */
import type { WasmFilterField } from './field.ts';

export const phase: WasmFilterField<'phase'> = {
  capabilities: { 'wasm.phase': 'native' },
  spec: (filter) => ({ phase: filter.phase }),
};
