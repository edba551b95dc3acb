/** spec.filters[].ports */
import type { WasmFilterField } from './field.ts';

export interface WasmPortsView {
  /** Only requests for one of these ports; empty: all. */
  readonly ports: readonly number[];
}

export const ports: WasmFilterField<WasmPortsView, 'wasm.ports'> = {
  capabilities: { 'wasm.ports': 'spec.filters.ports' },
  view: ({ ports = [] }) => ({ ports: [...new Set(ports)].sort((a, b) => a - b) }),
  requires: (filter) => (filter.ports.length > 0 ? ['wasm.ports'] : []),
};
