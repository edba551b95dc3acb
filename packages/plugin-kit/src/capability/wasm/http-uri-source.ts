import { SHA256, type WasmFieldSamples, whole } from './field.ts';

export const httpUriSource: WasmFieldSamples<'httpUriSource'> = {
  probes: {
    'wasm.http': whole({ httpUriSource: { uri: 'https://modules.example.com/auth.wasm', sha256: SHA256 } }),
  },
};
