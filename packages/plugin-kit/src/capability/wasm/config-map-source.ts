import { type WasmFieldSamples, whole } from './field.ts';

export const configMapSource: WasmFieldSamples<'configMapSource'> = {
  probes: { 'wasm.configMap': whole({ configMapSource: { name: 'modules' } }) },
};
