import { wasm } from '../probe.ts';
import { SHA256, type WasmFieldSamples, whole } from './field.ts';

const IMAGE = { wasmImageTag: 'registry.example.com/filters/auth:v1' };

export const wasmImageSource: WasmFieldSamples<'wasmImageSource'> = {
  probes: {
    'wasm.image': whole({ wasmImageSource: IMAGE }),
    'wasm.image.sha256': {
      ...whole({ wasmImageSource: { ...IMAGE, sha256: SHA256 } }),
      without: [wasm({ wasmImageSource: IMAGE })],
    },
  },
};
