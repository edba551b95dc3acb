/** spec.filters[].filterContext */

import type { WasmFilterContext } from '@meshrelay/api';
import type { WasmCapabilitiesOf } from '@meshrelay/plugin';
import type { WasmFilterField } from './field.ts';

const CAPABILITIES: Readonly<Record<WasmFilterContext, ReadonlyArray<WasmCapabilitiesOf<'filterContext'>>>> = {
  ANY: [],
  SIDECAR_INBOUND: ['wasm.inbound'],
  SIDECAR_OUTBOUND: ['wasm.outbound'],
  GATEWAY: ['wasm.gateway'],
};

export const filterContext: WasmFilterField<'filterContext'> = {
  capabilities: {
    'wasm.inbound': 'spec.filters.filterContext',
    'wasm.outbound': 'spec.filters.filterContext',
    'wasm.gateway': 'spec.filters.filterContext',
  },
  view: ({ filterContext = 'ANY' }) => ({ context: filterContext }),
  requires: ({ context }) => CAPABILITIES[context],
};
