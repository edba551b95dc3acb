/** Every field of `spec` of an AccessLogRecord, as plugins see it. */
import type { AccessLogFieldName } from '@meshrelay/api';
import type { AccessLogRuleView } from '../views/mod.ts';

/** A record requests entries, whatever its fields are. */
export const ACCESS_LOG_REQUESTS = 'accessLog.requests';

/** The member of {@link AccessLogRuleView} that each field sets, and its capabilities. The order is that of reports. */
export const ACCESS_LOG_FIELDS = {
  filters: { member: 'filters', capabilities: ['accessLog.filters.status', 'accessLog.filters.header'] },
  includedRequestHeaders: { member: 'requestHeaders', capabilities: ['accessLog.requestHeaders'] },
  includedResponseHeaders: { member: 'responseHeaders', capabilities: ['accessLog.responseHeaders'] },
  includedResponseTrailers: { member: 'responseTrailers', capabilities: ['accessLog.responseTrailers'] },
  includedFilterStateObjects: { member: 'filterState', capabilities: ['accessLog.filterState'] },
} as const;

type Fields = typeof ACCESS_LOG_FIELDS;

/** What policies say about the entries that a rule requests. */
export type AccessLogRuleParts = Omit<AccessLogRuleView, 'from'>;

/** The part of a rule that a field sets. */
export type AccessLogPartOf<F extends AccessLogFieldName> = Pick<AccessLogRuleParts, Fields[F]['member']>;

/** The capabilities of a field. */
export type AccessLogCapabilitiesOf<F extends AccessLogFieldName> = Fields[F]['capabilities'][number];

/** Capabilities of these fields, and of the kind as a whole. */
export type AccessLogCapability = typeof ACCESS_LOG_REQUESTS | AccessLogCapabilitiesOf<AccessLogFieldName>;
