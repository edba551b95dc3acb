/** `filterStateObjectsToLog` of an extension provider in Istio's mesh configuration. */
import type { AccessLogField } from './field.ts';

export const includedFilterStateObjects: AccessLogField<'includedFilterStateObjects'> = {
  capabilities: { 'accessLog.filterState': 'native' },
  namesToLog: ({ filterState }) => ({ filterStateObjectsToLog: filterState }),
};
