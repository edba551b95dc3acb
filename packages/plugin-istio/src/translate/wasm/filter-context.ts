/** `match[].mode`. */
import type { WasmFilterField } from './field.ts';

const MODES = { ANY: undefined, SIDECAR_INBOUND: 'SERVER', SIDECAR_OUTBOUND: 'CLIENT', GATEWAY: undefined } as const;

export const filterContext: WasmFilterField<'filterContext'> = {
  capabilities: {
    'wasm.inbound': 'native',
    'wasm.outbound': 'native',
    'wasm.gateway': {
      unsupported:
        'WasmPlugins cannot select requests through a gateway; select the workloads of gateways and omit filterContext',
    },
  },
  match: ({ context }) => ({ mode: MODES[context] }),
};
