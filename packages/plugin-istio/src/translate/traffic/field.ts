/** The translation of one field of `spec.policy` of a TrafficPolicy. */
import type {
  ConnectionFieldName,
  FieldRows,
  Report,
  RequestFieldName,
  RouteActions,
  TrafficViewOf,
} from '@meshrelay/plugin';

/** A field that applies to requests, in its own file. */
export interface RouteField<F extends RequestFieldName> {
  readonly capabilities: FieldRows<F>;
  /** Its part of an entry of `spec.http` of a VirtualService. */
  httpRoute?(view: TrafficViewOf<F>): Readonly<Record<string, unknown>>;
  /** Its part that depends on the port that the requests were sent to. */
  httpRouteOfPort?(view: TrafficViewOf<F>, port: number): Readonly<Record<string, unknown>>;
  /** Differences between the policy and Istio's behaviour. `actions` are those of the whole route. */
  reports?(view: TrafficViewOf<F>, actions: RouteActions): readonly Report[];
}

/** A field that applies to connections, in its own file. */
export interface TrafficPolicyField<F extends ConnectionFieldName> {
  readonly capabilities: FieldRows<F>;
  /** Its part of `spec.trafficPolicy` of a DestinationRule. */
  trafficPolicy(view: TrafficViewOf<F>): Readonly<Record<string, unknown>>;
}
