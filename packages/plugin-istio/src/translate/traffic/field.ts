/** What this plugin does with one field of `spec.policy` of a TrafficPolicy. */
import type { Report } from '@meshrelay/api';
import type {
  ConnectionFieldName,
  FieldRows,
  RequestFieldName,
  RouteActions,
  TrafficViewOf,
} from '@meshrelay/relay-core';

/** A field that applies to requests, in a file of its own. */
export interface RouteField<F extends RequestFieldName> {
  readonly capabilities: FieldRows<F>;
  /** Its part of an entry of `spec.http` of a VirtualService. */
  httpRoute?(view: TrafficViewOf<F>): Readonly<Record<string, unknown>>;
  /** The same where it depends on the port that the requests came to. */
  httpRouteOfPort?(view: TrafficViewOf<F>, port: number): Readonly<Record<string, unknown>>;
  /** What Istio does not do as the policy says. `actions` are those of the whole route. */
  reports?(view: TrafficViewOf<F>, actions: RouteActions): readonly Report[];
}

/** A field that applies to connections, in a file of its own. */
export interface TrafficPolicyField<F extends ConnectionFieldName> {
  readonly capabilities: FieldRows<F>;
  /** Its part of `spec.trafficPolicy` of a DestinationRule. */
  trafficPolicy(view: TrafficViewOf<F>): Readonly<Record<string, unknown>>;
}
