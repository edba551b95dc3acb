/** spec.filters[].failurePolicy */
import type { WasmFilterField } from './field.ts';

export interface WasmFailureView {
  /** Whether requests pass if the module fails. */
  readonly failOpen: boolean;
}

export const failurePolicy: WasmFilterField<WasmFailureView, 'wasm.failOpen'> = {
  capabilities: { 'wasm.failOpen': 'spec.filters.failurePolicy' },
  view: ({ failurePolicy }) => ({ failOpen: failurePolicy === 'FAIL_OPEN' }),
  requires: ({ failOpen }) => (failOpen ? ['wasm.failOpen'] : []),
};
