/** Which headers of requests an Envoy must write into entries. */
import type { AccessLogRuleView } from '@meshrelay/relay-core';

/** Headers that entries have in any case. */
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

/** Those that are asked for, and those that the agent filters by. */
export function headersToLog(rules: readonly AccessLogRuleView[]): readonly string[] {
  const names = rules.flatMap(({ requestHeaders, filters }) => [
    ...requestHeaders,
    ...filters.flatMap((filter) => ('header' in filter && !ALWAYS.has(filter.header.name) ? [filter.header.name] : [])),
  ]);
  return [...new Set(names)].sort();
}
