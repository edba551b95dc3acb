/** `spec` of an AccessLogRecord. */
import { memoizeUntilCompaction } from '../caches/memoize.ts';
import type { AccessLogRuleView } from './views/access-log.ts';

/** Each capability with the path in the policy that reports name. */
export const ACCESS_LOG_CAPABILITIES = {
  'accessLog.requests': 'spec',
  'accessLog.filters.status': 'spec.filters',
  'accessLog.filters.header': 'spec.filters',
  'accessLog.requestHeaders': 'spec.includedRequestHeaders',
  'accessLog.responseHeaders': 'spec.includedResponseHeaders',
  'accessLog.responseTrailers': 'spec.includedResponseTrailers',
  'accessLog.filterState': 'spec.includedFilterStateObjects',
} as const;

type AccessLogCapability = keyof typeof ACCESS_LOG_CAPABILITIES;

/** What a rule needs at least. With fewer filters it would request other entries. */
export const logRequirements: (rule: AccessLogRuleView) => readonly AccessLogCapability[] = memoizeUntilCompaction(
  ({ filters }) => {
    const fields: AccessLogCapability[] = ['accessLog.requests'];
    if (filters.some((filter) => 'status' in filter)) fields.push('accessLog.filters.status');
    if (filters.some((filter) => 'header' in filter)) fields.push('accessLog.filters.header');
    return fields;
  },
);
