/** spec.filters[].phase */
import type { WasmFilterField } from './field.ts';

export const phase: WasmFilterField<'phase'> = {
  capabilities: { 'wasm.phase': 'spec.filters.phase' },
  view: ({ phase }) => (phase === undefined ? {} : { phase }),
  requires: (filter) => (filter.phase === undefined ? [] : ['wasm.phase']),
};
