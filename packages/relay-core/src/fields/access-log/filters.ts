/** spec.filters */
import type { AccessLogFilter, HeaderMatch } from '@meshrelay/api';
import type { AccessLogFilterView, NamedValueMatch } from '@meshrelay/plugin';
import { canonicalJson } from '../../input/canonical.ts';
import type { AccessLogField } from './field.ts';

/** With fewer filters a rule would request other entries. */
export const filters: AccessLogField<'filters'> = {
  capabilities: { 'accessLog.filters.status': 'spec.filters', 'accessLog.filters.header': 'spec.filters' },
  view: ({ filters = [] }) => ({ filters: distinct(filters.map(filterView)) }),
  requires: (rule) => [
    ...(rule.filters.some((filter) => 'status' in filter) ? (['accessLog.filters.status'] as const) : []),
    ...(rule.filters.some((filter) => 'header' in filter) ? (['accessLog.filters.header'] as const) : []),
  ],
};

/** Records are validated: each filter has exactly one of the two. */
function filterView({ statusCodeMatcher, headerMatcher }: AccessLogFilter): AccessLogFilterView {
  if (statusCodeMatcher === undefined) return { header: headerMatch(headerMatcher ?? { name: '' }) };
  const { value, comparator } = statusCodeMatcher;
  return { status: { value, comparator } };
}

function headerMatch({ name, value = '', regex = false, invertMatch = false }: HeaderMatch): NamedValueMatch {
  const present = value === '';
  return { name: name.toLowerCase(), ...(present ? {} : { value }), regex: regex && !present, invert: invertMatch };
}

/** Any one filter suffices, so their order has no meaning. */
function distinct(filters: readonly AccessLogFilterView[]): readonly AccessLogFilterView[] {
  const byContent = new Map(filters.map((filter) => [canonicalJson(filter), filter]));
  return [...byContent].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, filter]) => filter);
}
