/** AccessLogRecords as access log rules of views. */
import type { AccessLogFilter, AccessLogRecord, HeaderMatch } from '@meshrelay/api';
import { memoize } from '../../caches/memoize.ts';
import { canonicalJson } from '../../input/canonical.ts';
import type { AccessLogFilterView, AccessLogRuleView, NamedValueMatch } from '../../plugin/views/mod.ts';
import { mergeRefs } from '../../store/precedence.ts';
import type { CheckedPolicy } from '../policies/mod.ts';

type Record_ = CheckedPolicy<AccessLogRecord>;

/** The rules of several records, in their order: each record requests its own entries; equal rules become one. */
export const accessLogRules: (records: readonly Record_[]) => readonly AccessLogRuleView[] = memoize((records) => {
  const byContent = new Map<string, AccessLogRuleView>();
  for (const record of records) {
    const rule = ruleOf(record);
    const { from, ...content } = rule;
    const id = canonicalJson(content);
    const known = byContent.get(id);
    byContent.set(id, known === undefined ? rule : { ...known, from: mergeRefs(known.from, from) });
  }
  return [...byContent.values()];
});

/** One record gives the same rule wherever it applies. */
const ruleOf = memoize(({ object: { spec }, ref }: Record_): AccessLogRuleView => {
  return {
    filters: distinct((spec.filters ?? []).map(filterOf)),
    requestHeaders: lowerCase(spec.includedRequestHeaders),
    responseHeaders: lowerCase(spec.includedResponseHeaders),
    responseTrailers: lowerCase(spec.includedResponseTrailers),
    filterState: sorted(spec.includedFilterStateObjects ?? []),
    from: [ref],
  };
});

/** Records are validated: each filter has exactly one of the two. */
function filterOf({ statusCodeMatcher, headerMatcher }: AccessLogFilter): AccessLogFilterView {
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

function lowerCase(names: readonly string[] = []): readonly string[] {
  return sorted(names.map((name) => name.toLowerCase()));
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
