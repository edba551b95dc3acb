/** What plain Envoys carry of the views. */
import { type CapabilityTable, VIEW_FIELDS, type ViewField } from '@meshrelay/relay-core';

const ACCESS_LOG = { unsupported: 'not translated yet' };

/** All that is not carried as it is meant. */
const OTHERS: Partial<CapabilityTable> = {
  'virtualDestination.localized.directives': {
    unsupported:
      'all Envoys of a cluster share one order of the clusters behind a name, wherever each runs; give the order by spec.static',
  },
  'accessLog.requests': ACCESS_LOG,
  'accessLog.filters.status': ACCESS_LOG,
  'accessLog.filters.header': ACCESS_LOG,
  'accessLog.requestHeaders': ACCESS_LOG,
  'accessLog.responseHeaders': ACCESS_LOG,
  'accessLog.responseTrailers': ACCESS_LOG,
  'accessLog.filterState': ACCESS_LOG,
  'mesh.trust.limited': { unsupported: 'not translated yet: each cluster keeps a root of its own; use shared trust' },
};

export const CAPABILITIES: CapabilityTable = {
  ...(Object.fromEntries(VIEW_FIELDS.map((field: ViewField) => [field, 'native'])) as unknown as CapabilityTable),
  ...OTHERS,
};
