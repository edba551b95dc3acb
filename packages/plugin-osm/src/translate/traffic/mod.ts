/** OSM's translation of every field of `spec.policy` of a TrafficPolicy. */
import type { CapabilityRows, FieldRows, TrafficFieldName } from '@meshrelay/plugin';
import { NO_API } from '../unsupported.ts';
import { CONNECTION_POOL } from './connection-pool.ts';
import { LOCAL_RATE_LIMIT } from './local-rate-limit.ts';
import { RETRIES } from './retries.ts';
import { TRAFFIC_SHIFT } from './traffic-shift.ts';

/**
 * One entry per field, in its own file if OSM supports a part; a field of the API that is missing here is a compile
 * error.
 */
const ROWS: { readonly [F in TrafficFieldName]: FieldRows<F> } = {
  trafficShift: TRAFFIC_SHIFT,
  faultInjection: { 'route.fault': NO_API },
  requestTimeout: { 'route.timeout': NO_API },
  retries: RETRIES,
  corsPolicy: { 'route.cors': NO_API },
  mirror: { 'route.mirror': NO_API },
  headerManipulation: { 'route.headers': NO_API },
  outlierDetection: { 'connection.outlierDetection': NO_API },
  connectionPool: CONNECTION_POOL,
  mtls: { 'connection.mtls': { unsupported: 'proxies of OSM always use mutual TLS with each other' } },
  csrf: { 'route.csrf': NO_API },
  localRateLimit: LOCAL_RATE_LIMIT,
};

export const TRAFFIC_CAPABILITIES: CapabilityRows<'route' | 'connection'> = Object.assign({}, ...Object.values(ROWS));
