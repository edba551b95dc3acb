/** Which entries a proxy logs, and with which names. */
import type { PolicyRef } from '@meshrelay/api';
import type { AccessLogRuleParts } from '../access-log/mod.ts';

/**
 * One rule for log entries. Names of headers and trailers are in lower case; all lists of names are sorted, each name
 * once.
 */
export interface AccessLogRuleView extends AccessLogRuleParts {
  readonly from: readonly PolicyRef[];
}
