/** spec.filters */
import type { AccessLogFilter, HeaderMatch } from '@meshrelay/api';
import { canonicalJson } from '../../input/canonical.ts';
import type { NamedValueMatch } from '../views/match.ts';
import type { AccessLogField } from './field.ts';

/** Matches an entry by one property: the status of its response, or a header of its request. */
export type AccessLogFilterView =
  /**
   * Never matches an entry without a status, such as that of a TCP connection; 0 is the status of a request without a
   * response.
   */
  | { readonly status: { readonly value: number; readonly comparator: 'EQ' | 'GE' | 'LE' } }
  /** The name in lower case; `:method`, `:path`, `:authority` and `:scheme` too. */
  | { readonly header: NamedValueMatch };

export interface FiltersView {
  /** An entry is logged if any of them matches; empty: every entry. */
  readonly filters: readonly AccessLogFilterView[];
}

/** With fewer filters a rule would request other entries. */
export const filters: AccessLogField<FiltersView, 'accessLog.filters.status' | 'accessLog.filters.header'> = {
  capabilities: { 'accessLog.filters.status': 'spec.filters', 'accessLog.filters.header': 'spec.filters' },
  view: ({ filters = [] }) => ({ filters: distinct(filters.map(filterView)) }),
  requires: (rule) => [
    ...(rule.filters.some((filter) => 'status' in filter) ? (['accessLog.filters.status'] as const) : []),
    ...(rule.filters.some((filter) => 'header' in filter) ? (['accessLog.filters.header'] as const) : []),
  ],
  retained: (rule) => ({ filters: rule.filters.map(filterOf) }),
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

function filterOf(filter: AccessLogFilterView): AccessLogFilter {
  if ('status' in filter) return { statusCodeMatcher: filter.status };
  const { name, value, regex, invert } = filter.header;
  return {
    headerMatcher: {
      name,
      ...(value === undefined ? {} : { value }),
      ...(regex ? { regex } : {}),
      ...(invert ? { invertMatch: true } : {}),
    },
  };
}
