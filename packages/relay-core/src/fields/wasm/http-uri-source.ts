/** spec.filters[].httpUriSource */
import type { WasmSourceField } from './field.ts';

export const httpUriSource: WasmSourceField<'httpUriSource'> = {
  kind: 'http',
  capabilities: { 'wasm.http': 'spec.filters.httpUriSource' },
  view: ({ httpUriSource }) =>
    httpUriSource === undefined ? undefined : { kind: 'http', uri: httpUriSource.uri, sha256: httpUriSource.sha256 },
  requires: () => ['wasm.http'],
};
