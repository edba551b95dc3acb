import { also, type WasmFieldSamples } from './field.ts';

export const ports: WasmFieldSamples<'ports'> = {
  probes: {
    'wasm.ports': also({ filterContext: 'SIDECAR_INBOUND', ports: [9999] }, { filterContext: 'SIDECAR_INBOUND' }),
  },
};
