/** spec.filters[].wasmImageSource */
import type { WasmImageSourceView } from '@meshrelay/plugin';
import { defined } from '../values.ts';
import type { WasmSourceField } from './field.ts';

export const wasmImageSource: WasmSourceField<'wasmImageSource'> = {
  kind: 'image',
  capabilities: {
    'wasm.image': 'spec.filters.wasmImageSource',
    'wasm.image.sha256': 'spec.filters.wasmImageSource.sha256',
  },
  view: ({ wasmImageSource }) => {
    if (wasmImageSource === undefined) return undefined;
    const { wasmImageTag: image, sha256, imagePullSecret: pullSecret } = wasmImageSource;
    return defined<WasmImageSourceView>({ kind: 'image', image, sha256, pullSecret });
  },
  requires: () => ['wasm.image'],
  membersRequire: ({ sha256 }) => (sha256 === undefined ? [] : ['wasm.image.sha256']),
};
