/** spec.includedFilterStateObjects */
import type { AccessLogField } from './field.ts';

export const includedFilterStateObjects: AccessLogField<'includedFilterStateObjects'> = {
  capabilities: { 'accessLog.filterState': 'spec.includedFilterStateObjects' },
  view: ({ includedFilterStateObjects = [] }) => ({ filterState: [...new Set(includedFilterStateObjects)].sort() }),
  reduce: ({ filterState }, supports) =>
    filterState.length === 0 || supports('accessLog.filterState') ? undefined : { filterState: [] },
};
