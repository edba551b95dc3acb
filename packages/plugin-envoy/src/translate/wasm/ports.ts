/** The listeners of a sidecar that have the module. One listener handles all requests of the application. */
import { GATEWAY, ROLE_LABEL } from '../../kinds.ts';
import type { WasmFilterField } from './field.ts';

export const ports: WasmFilterField<'ports'> = {
  capabilities: { 'wasm.ports': 'native' },
  seesInbound: (filter, port) => filter.ports.length === 0 || filter.ports.includes(port),
  seesOutbound: (filter) => filter.ports.length === 0,
  unsupported: (filter, { kind, namespace, name, podLabels }) =>
    filter.ports.length === 0 || filter.context === 'SIDECAR_INBOUND' || podLabels[ROLE_LABEL] === GATEWAY
      ? undefined
      : `Envoys receive all requests that the application of ${kind} ${namespace}/${name} sends on one port, so the module cannot select ports; omit ports, or set filterContext SIDECAR_INBOUND`,
};
