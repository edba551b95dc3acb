/** The view fields that plain Envoys support. */
import { type CapabilityTable, VIEW_FIELDS, type ViewField } from '@meshrelay/relay-core';
import { TRAFFIC_CAPABILITIES } from './translate/traffic/mod.ts';

/** Unsupported values of the other fields. */
const OTHERS: Partial<CapabilityTable> = {
  'virtualDestination.localized.directives': {
    unsupported:
      'all Envoys of a cluster share one order of backend clusters, whatever their locality; set the order with spec.static',
  },
  'wasm.gateway': {
    unsupported:
      'gateways of plain Envoys forward connections and do not read requests; select the workloads behind them',
  },
  'mesh.trust.limited': { unsupported: 'not translated yet: each cluster keeps its own root; use shared trust' },
};

export const CAPABILITIES: CapabilityTable = {
  ...(Object.fromEntries(VIEW_FIELDS.map((field: ViewField) => [field, 'native'])) as unknown as CapabilityTable),
  ...TRAFFIC_CAPABILITIES,
  ...OTHERS,
};
