/** spec.filters[].filterContext */
import type { WasmFilterContext } from '@meshrelay/api';
import type { WasmFilterField } from './field.ts';

export interface WasmContextView {
  readonly context: WasmFilterContext;
}

type ContextCapability = 'wasm.inbound' | 'wasm.outbound' | 'wasm.gateway';

const CAPABILITIES: Readonly<Record<WasmFilterContext, readonly ContextCapability[]>> = {
  ANY: [],
  SIDECAR_INBOUND: ['wasm.inbound'],
  SIDECAR_OUTBOUND: ['wasm.outbound'],
  GATEWAY: ['wasm.gateway'],
};

export const filterContext: WasmFilterField<WasmContextView, ContextCapability> = {
  capabilities: {
    'wasm.inbound': 'spec.filters.filterContext',
    'wasm.outbound': 'spec.filters.filterContext',
    'wasm.gateway': 'spec.filters.filterContext',
  },
  view: ({ filterContext = 'ANY' }) => ({ context: filterContext }),
  requires: ({ context }) => CAPABILITIES[context],
};
