/** A module that the agent fetches from an image registry. */
import type { WasmSourceField } from './field.ts';

export const wasmImageSource: WasmSourceField<'wasmImageSource'> = {
  kind: 'image',
  capabilities: { 'wasm.image': 'native', 'wasm.image.sha256': 'native' },
  reference: ({ pullSecret, ...source }, namespace) => ({
    ...source,
    ...(pullSecret === undefined ? {} : { pullSecret: { namespace, name: pullSecret } }),
  }),
};
