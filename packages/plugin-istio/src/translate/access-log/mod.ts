/** Istio's translation of every field of `spec` of an AccessLogRecord. */
import { type AccessLogFieldName, type AccessLogRuleView, type CapabilityRows, rowsOf } from '@meshrelay/plugin';
import type { AccessLogField, LoggedNames } from './field.ts';
import { filters } from './filters.ts';
import { includedFilterStateObjects } from './included-filter-state-objects.ts';
import { includedRequestHeaders } from './included-request-headers.ts';
import { includedResponseHeaders } from './included-response-headers.ts';
import { includedResponseTrailers } from './included-response-trailers.ts';

/** One file per field; a field of the API that is missing here is a compile error. The order is that of providers. */
const ACCESS_LOG_FIELDS: { readonly [F in AccessLogFieldName]: AccessLogField<F> } = {
  includedFilterStateObjects,
  filters,
  includedRequestHeaders,
  includedResponseHeaders,
  includedResponseTrailers,
};

const RECORD = { capabilities: { 'accessLog.requests': 'native' } } as const;

export const ACCESS_LOG_CAPABILITIES: CapabilityRows<'accessLog'> = rowsOf({ RECORD, ...ACCESS_LOG_FIELDS });

/** Names that a provider must log for these rules, sorted; without empty lists. */
export function namesToLog(
  rules: readonly AccessLogRuleView[],
): Readonly<Partial<Record<LoggedNames, readonly string[]>>> {
  const names: Partial<Record<LoggedNames, Set<string>>> = {};
  for (const field of Object.values(ACCESS_LOG_FIELDS))
    for (const rule of rules)
      for (const [key, list] of Object.entries(field.namesToLog?.(rule) ?? {}) as Array<
        [LoggedNames, readonly string[]]
      >)
        names[key] = new Set([...(names[key] ?? []), ...list]);
  const some = Object.entries(names).filter(([, list]) => list.size > 0);
  return Object.fromEntries(some.map(([key, list]) => [key, [...list].sort()]));
}
