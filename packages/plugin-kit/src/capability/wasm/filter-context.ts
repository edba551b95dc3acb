import { also, type WasmFieldSamples } from './field.ts';

export const filterContext: WasmFieldSamples<'filterContext'> = {
  probes: {
    'wasm.inbound': also({ filterContext: 'SIDECAR_INBOUND' }),
    'wasm.outbound': also({ filterContext: 'SIDECAR_OUTBOUND' }),
    'wasm.gateway': also({ filterContext: 'GATEWAY' }),
  },
};
