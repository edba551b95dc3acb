/** Matches of requests and their callers: `spec.httpRequestMatchers` and `spec.sourceSelector` of a TrafficPolicy. */
import { memoizeUntilCompaction, type RouteMatchView } from '@meshrelay/plugin';
import type { MatchCapability } from '@meshrelay/plugin/host';

/** Each capability with the path in the policy that reports name. */
export const MATCH_CAPABILITIES: Readonly<Record<MatchCapability, string>> = {
  'match.uri.exact': 'spec.httpRequestMatchers',
  'match.uri.prefix': 'spec.httpRequestMatchers',
  'match.uri.regex': 'spec.httpRequestMatchers',
  'match.uri.suffix': 'spec.httpRequestMatchers',
  'match.uri.ignoreCase': 'spec.httpRequestMatchers',
  'match.headers': 'spec.httpRequestMatchers',
  'match.queryParameters': 'spec.httpRequestMatchers',
  'match.method': 'spec.httpRequestMatchers',
  'source.labels': 'spec.sourceSelector',
  'source.namespaces': 'spec.sourceSelector',
  'source.clusters': 'spec.sourceSelector',
};

/**
 * What a match needs. Core drops a route with an unsupported match: in part the match would take other requests too.
 */
export const matchRequirements: (match: RouteMatchView) => readonly MatchCapability[] = memoizeUntilCompaction(
  (match) => {
    const { uri, headers, queryParameters, method, sourceLabels, sourceNamespace } = match;
    const fields: MatchCapability[] = [];
    if (uri !== undefined) {
      if ('exact' in uri) fields.push('match.uri.exact');
      else if ('prefix' in uri) fields.push('match.uri.prefix');
      else if ('regex' in uri) fields.push('match.uri.regex');
      else fields.push('match.uri.suffix');
      if (uri.ignoreCase) fields.push('match.uri.ignoreCase');
    }
    if (headers.length > 0) fields.push('match.headers');
    if (queryParameters.length > 0) fields.push('match.queryParameters');
    if (method !== undefined) fields.push('match.method');
    if (sourceLabels !== undefined) fields.push('source.labels');
    if (sourceNamespace !== undefined) fields.push('source.namespaces');
    return fields;
  },
);
