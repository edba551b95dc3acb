/** `match[].ports`. */
import type { WasmFilterField } from './field.ts';

export const ports: WasmFilterField<'ports'> = {
  capabilities: { 'wasm.ports': 'native' },
  match: (filter) => ({ ports: filter.ports.length === 0 ? undefined : filter.ports.map((number) => ({ number })) }),
};
