/** A module that the agent fetches by its URL. */
import type { WasmSourceField } from './field.ts';

export const httpUriSource: WasmSourceField<'httpUriSource'> = {
  kind: 'http',
  capabilities: { 'wasm.http': 'native' },
  reference: (source) => source,
};
