import { also, type WasmFieldSamples } from './field.ts';

export const phase: WasmFieldSamples<'phase'> = { probes: { 'wasm.phase': also({ phase: 'AUTHN' }) } };
