/** OSM has no API for matches. */
import type { CapabilityRows } from '@meshrelay/relay-core';

const MATCH = { unsupported: 'OSM does to all requests for a Service what it does to one' };
const SOURCE = { unsupported: 'OSM does to the requests of all callers of a Service what it does to those of one' };

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
  'source.clusters': { always: 'all callers that OSM knows are of its own cluster' },
};
