/** OSM has no API for matches. */
import type { CapabilityRows } from '@meshrelay/plugin';

const MATCH = { unsupported: 'OSM applies settings to all requests for a Service, not to some' };
const SOURCE = { unsupported: 'OSM applies settings to all callers of a Service, not to some' };

export const MATCH_CAPABILITIES: CapabilityRows<'match' | 'source'> = {
  'match.uri.exact': MATCH,
  'match.uri.prefix': MATCH,
  'match.uri.regex': MATCH,
  'match.uri.suffix': MATCH,
  'match.uri.ignoreCase': MATCH,
  'match.headers': MATCH,
  'match.queryParameters': MATCH,
  'match.method': MATCH,
  'source.labels': SOURCE,
  'source.namespaces': SOURCE,
  'source.clusters': { always: 'OSM only knows callers of its own cluster' },
};
