/** The translation of one field of `spec.policy` of a TrafficPolicy. */
import type { Any, core, route } from '@meshrelay/envoy-api';
import type { FieldRows, RequestFieldName, TrafficViewOf } from '@meshrelay/plugin';

/** The header fields of a Route and of a weighted cluster. */
export interface HeaderParts {
  readonly requestHeadersToAdd: core.HeaderValueOption[];
  readonly requestHeadersToRemove: string[];
  readonly responseHeadersToAdd: core.HeaderValueOption[];
  readonly responseHeadersToRemove: string[];
}

/** Some fields of the action of a Route. */
export type RouteActionPart = Partial<Omit<route.RouteAction, '$typeName' | '$unknown'>>;

/** A field that applies to requests, in its own file. */
export interface RouteField<F extends RequestFieldName> {
  readonly capabilities: FieldRows<F>;
  /** Its part of the action of a Route. */
  routeAction?(view: TrafficViewOf<F>): RouteActionPart;
  /** Its part of a Route, next to the action. */
  headerParts?(view: TrafficViewOf<F>): HeaderParts;
  /** Its settings of an HTTP filter of the callers' proxies, under the filter's name. */
  filterConfig?(view: TrafficViewOf<F>): Readonly<Record<string, Any>>;
}
