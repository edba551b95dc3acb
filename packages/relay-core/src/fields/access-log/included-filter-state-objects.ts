/** spec.includedFilterStateObjects */
import type { AccessLogField } from './field.ts';

export interface FilterStateView {
  /** Names of objects in Envoy's filter state. */
  readonly filterState: readonly string[];
}

export const includedFilterStateObjects: AccessLogField<FilterStateView, 'accessLog.filterState'> = {
  capabilities: { 'accessLog.filterState': 'spec.includedFilterStateObjects' },
  view: ({ includedFilterStateObjects = [] }) => ({ filterState: [...new Set(includedFilterStateObjects)].sort() }),
  reduce: ({ filterState }, supports) =>
    filterState.length === 0 || supports('accessLog.filterState') ? undefined : { filterState: [] },
  retained: ({ filterState }) => ({ includedFilterStateObjects: filterState }),
};
