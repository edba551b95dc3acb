/** Request headers that an Envoy must write into entries. */
import type { AccessLogRuleView } from '@meshrelay/relay-core';

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

/** The requested headers, and those by which the agent filters. */
export function headersToLog(rules: readonly AccessLogRuleView[]): readonly string[] {
  const names = rules.flatMap(({ requestHeaders, filters }) => [
    ...requestHeaders,
    ...filters.flatMap((filter) => ('header' in filter && !ALWAYS.has(filter.header.name) ? [filter.header.name] : [])),
  ]);
  return [...new Set(names)].sort();
}
