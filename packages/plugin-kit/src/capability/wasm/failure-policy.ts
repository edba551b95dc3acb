import { also, type WasmFieldSamples } from './field.ts';

export const failurePolicy: WasmFieldSamples<'failurePolicy'> = {
  probes: { 'wasm.failOpen': also({ failurePolicy: 'FAIL_OPEN' }) },
};
