/** Converts the filters of records to Envoy's: Envoy logs an entry if any filter matches it. */
import { accessLog, create, type MessageInitShape, type route } from '@meshrelay/envoy-api';
import type { AccessLogFilterView, AccessLogRuleView } from '@meshrelay/relay-core';

type FilterInit = MessageInitShape<typeof accessLog.AccessLogFilterSchema>;
type HeaderInit = MessageInitShape<typeof route.HeaderMatcherSchema>;

/** Undefined if every entry is logged. */
export function filterOf(rules: readonly AccessLogRuleView[]): accessLog.AccessLogFilter | undefined {
  if (rules.some(({ filters }) => filters.length === 0)) return undefined;
  const distinct = new Map(rules.flatMap(({ filters }) => filters.map((filter) => [JSON.stringify(filter), filter])));
  const filters = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, filter]) => filtersFor(filter));
  const [first, second] = filters;
  // Envoy rejects an OR filter with one member.
  if (first !== undefined && second === undefined) return create(accessLog.AccessLogFilterSchema, first);
  return create(accessLog.AccessLogFilterSchema, { filterSpecifier: { case: 'orFilter', value: { filters } } });
}

function filtersFor(filter: AccessLogFilterView): FilterInit[] {
  if ('status' in filter) return [byStatus(filter.status)];
  const { name, value, regex, invert } = filter.header;
  const present: HeaderInit = { name, headerMatchSpecifier: { case: 'presentMatch', value: true } };
  if (value === undefined) return [byHeader({ ...present, invertMatch: invert })];
  const matchPattern = regex
    ? ({ case: 'safeRegex', value: { regex: value } } as const)
    : ({ case: 'exact', value } as const);
  const fits: HeaderInit = { name, headerMatchSpecifier: { case: 'stringMatch', value: { matchPattern } } };
  // A request without the header matches an inverted filter too, independent of Envoy's handling of missing headers.
  return invert
    ? [byHeader({ ...present, invertMatch: true }), byHeader({ ...fits, invertMatch: true })]
    : [byHeader(fits)];
}

function byHeader(header: HeaderInit): FilterInit {
  return { filterSpecifier: { case: 'headerFilter', value: { header } } };
}

function byStatus({
  value,
  comparator,
}: Extract<AccessLogFilterView, { readonly status: unknown }>['status']): FilterInit {
  const comparison = {
    op: accessLog.ComparisonFilter_Op[comparator],
    // No operator sets such a key at runtime, but Envoy requires a name.
    value: { defaultValue: value, runtimeKey: 'meshrelay.access_log.status' },
  };
  return { filterSpecifier: { case: 'statusCodeFilter', value: { comparison } } };
}
