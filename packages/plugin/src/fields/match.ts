/** Matches of requests and their callers: `spec.httpRequestMatchers` and `spec.sourceSelector` of a TrafficPolicy. */

export const MATCH_CAPABILITIES = [
  'match.uri.exact',
  'match.uri.prefix',
  'match.uri.regex',
  'match.uri.suffix',
  'match.uri.ignoreCase',
  'match.headers',
  'match.queryParameters',
  'match.method',
  'source.labels',
  'source.namespaces',
  'source.clusters',
] as const;

export type MatchCapability = (typeof MATCH_CAPABILITIES)[number];
