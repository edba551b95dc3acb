/** The translation of one field of `spec` of an AccessLogRecord. */
import type { AccessLogFieldName, AccessLogRows, AccessLogRuleView } from '@meshrelay/plugin';

/** Fields of a logger with names to log. */
export type LoggedNames =
  | 'filterStateObjectsToLog'
  | 'additionalRequestHeadersToLog'
  | 'additionalResponseHeadersToLog'
  | 'additionalResponseTrailersToLog';

/** A field in its own file. */
export interface AccessLogField<F extends AccessLogFieldName> {
  readonly capabilities: AccessLogRows<F>;
  /** Names that a logger must write for a rule. */
  namesToLog(rule: AccessLogRuleView): Readonly<Partial<Record<LoggedNames, readonly string[]>>>;
}
