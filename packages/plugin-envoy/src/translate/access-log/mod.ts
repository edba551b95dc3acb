/** Plain Envoy's translation of every field of `spec` of an AccessLogRecord. */
import { type AccessLogFieldName, type AccessLogRuleView, type CapabilityRows, rowsOf } from '@meshrelay/plugin';
import type { AccessLogField, LoggedNames } from './field.ts';
import { filters } from './filters.ts';
import { includedFilterStateObjects } from './included-filter-state-objects.ts';
import { includedRequestHeaders } from './included-request-headers.ts';
import { includedResponseHeaders } from './included-response-headers.ts';
import { includedResponseTrailers } from './included-response-trailers.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const ACCESS_LOG_FIELDS: { readonly [F in AccessLogFieldName]: AccessLogField<F> } = {
  filters,
  includedRequestHeaders,
  includedResponseHeaders,
  includedResponseTrailers,
  includedFilterStateObjects,
};

const RECORD = { capabilities: { 'accessLog.requests': 'native' } } as const;

export const ACCESS_LOG_CAPABILITIES: CapabilityRows<'accessLog'> = rowsOf({ RECORD, ...ACCESS_LOG_FIELDS });

/** Names that a logger must write for these rules, sorted. */
export function namesToLog(rules: readonly AccessLogRuleView[], key: LoggedNames): string[] {
  const names = Object.values(ACCESS_LOG_FIELDS).flatMap((field) =>
    rules.flatMap((rule) => field.namesToLog(rule)[key] ?? []),
  );
  return [...new Set(names)].sort();
}
