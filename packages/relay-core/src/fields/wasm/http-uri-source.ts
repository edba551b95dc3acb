/** spec.filters[].httpUriSource */
import type { WasmSourceField } from './field.ts';

export interface WasmHttpSourceView {
  readonly kind: 'http';
  readonly uri: string;
  readonly sha256: string;
}

export const httpUriSource: WasmSourceField<WasmHttpSourceView, 'wasm.http'> = {
  kind: 'http',
  capabilities: { 'wasm.http': 'spec.filters.httpUriSource' },
  view: ({ httpUriSource }) =>
    httpUriSource === undefined ? undefined : { kind: 'http', uri: httpUriSource.uri, sha256: httpUriSource.sha256 },
  requires: () => ['wasm.http'],
};
