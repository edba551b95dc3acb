/** spec.filters[].ports */
import type { WasmFilterField } from './field.ts';

export const ports: WasmFilterField<'ports'> = {
  capabilities: { 'wasm.ports': 'spec.filters.ports' },
  view: ({ ports = [] }) => ({ ports: [...new Set(ports)].sort((a, b) => a - b) }),
  requires: (filter) => (filter.ports.length > 0 ? ['wasm.ports'] : []),
};
