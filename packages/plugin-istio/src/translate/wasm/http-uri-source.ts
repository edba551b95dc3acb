/** `url` and `sha256`. */
import type { WasmSourceField } from './field.ts';

export const httpUriSource: WasmSourceField<'httpUriSource'> = {
  kind: 'http',
  capabilities: { 'wasm.http': 'native' },
  spec: ({ uri, sha256 }) => ({ url: uri, sha256 }),
};
