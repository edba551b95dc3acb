/** Converts the filters of records to Envoy's: Envoy logs an entry if any filter matches it. */
import { accessLog, create, type MessageInitShape, type route } from '@meshrelay/envoy-api';
import type { AccessLogFilterView, AccessLogRuleView } from '@meshrelay/plugin';
import type { AccessLogField } from './field.ts';

/** Headers that every entry has. */
const ALWAYS: ReadonlySet<string> = new Set([
  ':method',
  ':path',
  ':authority',
  ':scheme',
  'user-agent',
  'referer',
  'x-forwarded-for',
  'x-request-id',
  'x-envoy-original-path',
]);

/** The agent filters again, by the same headers. */
export const filters: AccessLogField<'filters'> = {
  capabilities: { 'accessLog.filters.status': 'native', 'accessLog.filters.header': 'native' },
  namesToLog: (rule) => ({
    additionalRequestHeadersToLog: rule.filters.flatMap((filter) =>
      'header' in filter && !ALWAYS.has(filter.header.name) ? [filter.header.name] : [],
    ),
  }),
};

/**
 * A connection has no status and no headers. It matches rules without conditions, and rules that require a header to be
 * absent.
 */
export function logsConnections(rules: readonly AccessLogRuleView[]): boolean {
  return rules.some(
    (rule) => rule.filters.length === 0 || rule.filters.some((filter) => 'header' in filter && filter.header.invert),
  );
}

type FilterInit = MessageInitShape<typeof accessLog.AccessLogFilterSchema>;
type HeaderInit = MessageInitShape<typeof route.HeaderMatcherSchema>;

/** Undefined if every entry is logged. */
export function filterOf(rules: readonly AccessLogRuleView[]): accessLog.AccessLogFilter | undefined {
  if (rules.some((rule) => rule.filters.length === 0)) return undefined;
  const distinct = new Map(rules.flatMap((rule) => rule.filters.map((filter) => [JSON.stringify(filter), filter])));
  const any = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, filter]) => filtersFor(filter));
  const [first, second] = any;
  // Envoy rejects an OR filter with one member.
  if (first !== undefined && second === undefined) return create(accessLog.AccessLogFilterSchema, first);
  return create(accessLog.AccessLogFilterSchema, { filterSpecifier: { case: 'orFilter', value: { filters: any } } });
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
