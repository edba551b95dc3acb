/** `url` of an image. */
import type { WasmSourceField } from './field.ts';

export const wasmImageSource: WasmSourceField<'wasmImageSource'> = {
  kind: 'image',
  capabilities: {
    'wasm.image': 'native',
    'wasm.image.sha256': {
      unsupported:
        'Istio checks the digest of an image, not the hash of the module in it; name the image by its digest',
    },
  },
  spec: ({ image, pullSecret }) => ({ url: `oci://${image}`, imagePullSecret: pullSecret }),
};
