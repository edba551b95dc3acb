/** The listeners of a sidecar that have the module. */
import { GATEWAY, ROLE_LABEL } from '../../kinds.ts';
import type { WasmFilterField } from './field.ts';

export const filterContext: WasmFilterField<'filterContext'> = {
  capabilities: {
    'wasm.inbound': 'native',
    'wasm.outbound': 'native',
    'wasm.gateway': {
      unsupported:
        'gateways of plain Envoys forward connections and do not read requests; select the workloads behind them',
    },
  },
  seesInbound: ({ context }) => context === 'ANY' || context === 'SIDECAR_INBOUND',
  seesOutbound: ({ context }) => context === 'ANY' || context === 'SIDECAR_OUTBOUND',
  unsupported: (_filter, { kind, namespace, name, podLabels }) =>
    podLabels[ROLE_LABEL] === GATEWAY
      ? `${kind} ${namespace}/${name} forwards connections and does not read requests, so no module runs there; select the workloads behind it`
      : undefined,
};
