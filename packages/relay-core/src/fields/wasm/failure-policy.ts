/** spec.filters[].failurePolicy */
import type { WasmFilterField } from './field.ts';

export const failurePolicy: WasmFilterField<'failurePolicy'> = {
  capabilities: { 'wasm.failOpen': 'spec.filters.failurePolicy' },
  view: ({ failurePolicy }) => ({ failOpen: failurePolicy === 'FAIL_OPEN' }),
  requires: ({ failOpen }) => (failOpen ? ['wasm.failOpen'] : []),
};
