/** Every field of `spec.policy` of a TrafficPolicy, as plugins see it. */
import type { TrafficFieldName } from '@meshrelay/api';
import type { ConnectionView, RouteActions, Sourced } from '../views/mod.ts';

/**
 * The name of each field in views, and its capabilities. Fields of the scope `requests` are members of
 * {@link RouteActions}, those of the scope `connections` of {@link ConnectionView}. The order is that of reports.
 */
export const TRAFFIC_FIELDS = {
  trafficShift: {
    scope: 'requests',
    viewName: 'shift',
    capabilities: [
      'route.shift',
      'route.shift.subset',
      'route.shift.cluster',
      'route.shift.headers',
      'route.shift.virtualDestination',
    ],
  },
  faultInjection: { scope: 'requests', viewName: 'fault', capabilities: ['route.fault'] },
  requestTimeout: { scope: 'requests', viewName: 'timeoutMs', capabilities: ['route.timeout'] },
  retries: {
    scope: 'requests',
    viewName: 'retries',
    capabilities: [
      'route.retries',
      'route.retries.backoff',
      'route.retries.retryOn',
      'route.retries.statusCodes',
      'route.retries.remoteLocalities',
    ],
  },
  corsPolicy: { scope: 'requests', viewName: 'cors', capabilities: ['route.cors'] },
  mirror: { scope: 'requests', viewName: 'mirror', capabilities: ['route.mirror'] },
  headerManipulation: { scope: 'requests', viewName: 'headers', capabilities: ['route.headers'] },
  outlierDetection: {
    scope: 'connections',
    viewName: 'outlierDetection',
    capabilities: ['connection.outlierDetection'],
  },
  connectionPool: {
    scope: 'connections',
    viewName: 'pool',
    capabilities: ['connection.pool', 'connection.pool.tcpKeepalive', 'connection.pool.idleTimeout'],
  },
  mtls: { scope: 'connections', viewName: 'mtls', capabilities: ['connection.mtls'] },
  csrf: { scope: 'requests', viewName: 'csrf', capabilities: ['route.csrf'] },
  localRateLimit: {
    scope: 'requests',
    viewName: 'localRateLimit',
    capabilities: ['route.localRateLimit', 'route.localRateLimit.perDay', 'route.localRateLimit.burstBelowRate'],
  },
} as const;

type Fields = typeof TRAFFIC_FIELDS;
type Views = RouteActions & ConnectionView;
type InScope<Scope extends string> = {
  [F in TrafficFieldName]: Fields[F]['scope'] extends Scope ? F : never;
}[TrafficFieldName];

/** A field that applies to the requests that a policy matches. */
export type RequestFieldName = InScope<'requests'>;
/** A field that applies to all connections to a destination. */
export type ConnectionFieldName = InScope<'connections'>;

/** The value of a field as views show it. */
export type TrafficViewOf<F extends TrafficFieldName> =
  NonNullable<Views[Fields[F]['viewName']]> extends Sourced<infer View> ? View : never;

/** The capabilities of a field. */
export type TrafficCapabilitiesOf<F extends TrafficFieldName> = Fields[F]['capabilities'][number];

/** Capabilities of these fields. */
export type TrafficCapability = TrafficCapabilitiesOf<TrafficFieldName>;

/**
 * The fields of a plugin's table that a view sets, each with its value there, in the order of the table.
 * @param fields by their names in policies; read once
 */
export function fieldsSetIn<Field>(
  fields: { readonly [F in TrafficFieldName]?: Field },
): (view: RouteActions | ConnectionView) => ReadonlyArray<readonly [Field, Sourced<unknown>]> {
  const named = (Object.entries(fields) as Array<[TrafficFieldName, Field]>).map(
    ([name, field]) => [TRAFFIC_FIELDS[name].viewName, field] as const,
  );
  return (view) => {
    const settings = view as Readonly<Record<string, Sourced<unknown> | undefined>>;
    const set: Array<readonly [Field, Sourced<unknown>]> = [];
    for (const [name, field] of named) {
      const setting = settings[name];
      if (setting !== undefined) set.push([field, setting]);
    }
    return set;
  };
}
