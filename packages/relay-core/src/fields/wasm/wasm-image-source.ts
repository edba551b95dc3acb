/** spec.filters[].wasmImageSource */
import { defined } from '../values.ts';
import type { WasmSourceField } from './field.ts';

export interface WasmImageSourceView {
  readonly kind: 'image';
  /** With its registry and a tag or digest. */
  readonly image: string;
  /** The digest of the module in the image. */
  readonly sha256?: string;
  /** A Secret of type `kubernetes.io/dockerconfigjson` in the workload's namespace. */
  readonly pullSecret?: string;
}

export const wasmImageSource: WasmSourceField<WasmImageSourceView, 'wasm.image' | 'wasm.image.sha256'> = {
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
