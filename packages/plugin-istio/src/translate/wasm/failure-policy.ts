/** `failStrategy`. */
import type { WasmFilterField } from './field.ts';

export const failurePolicy: WasmFilterField<'failurePolicy'> = {
  capabilities: { 'wasm.failOpen': 'native' },
  spec: ({ failOpen }) => ({ failStrategy: failOpen ? 'FAIL_OPEN' : 'FAIL_CLOSE' }),
};
