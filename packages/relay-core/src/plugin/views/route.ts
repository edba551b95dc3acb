/** Routes: which requests, and what happens to them. */
import type { JsonObject, PolicyRef } from '@meshrelay/api';
import type { Key } from '../../graph/key.ts';
import type { PortView } from './facts.ts';
import type { Sourced } from './sourced.ts';

export type StringMatchView =
  | { readonly exact: string; readonly ignoreCase: boolean }
  | { readonly prefix: string; readonly ignoreCase: boolean }
  | { readonly regex: string; readonly ignoreCase: boolean }
  | { readonly suffix: string; readonly ignoreCase: boolean };

export interface NamedValueMatch {
  readonly name: string;
  /** Omitted: the name must be present with any value. */
  readonly value?: string;
  readonly regex: boolean;
  /** True: requests that fit do NOT match. */
  readonly invert: boolean;
}

/** All parts must fit (AND); an absent part fits everything. */
export interface RouteMatchView {
  readonly name?: string;
  readonly uri?: StringMatchView;
  readonly headers: readonly NamedValueMatch[];
  readonly queryParameters: readonly NamedValueMatch[];
  readonly method?: string;
  /** Labels of the calling workload. */
  readonly sourceLabels?: Readonly<Record<string, string>>;
  /** Namespace of the calling workload. */
  readonly sourceNamespace?: string;
}

export interface HeaderManipulationView {
  readonly requestAdd: Readonly<Record<string, string>>;
  readonly requestRemove: readonly string[];
  readonly responseAdd: Readonly<Record<string, string>>;
  readonly responseRemove: readonly string[];
}

/** Where a share of a route's requests goes, as the consumer of the route must name it. */
export interface RouteTarget {
  /** Of a destination, or of the policy where it is a virtual destination. */
  readonly destination: Key;
  /** True where it is a virtual destination. */
  readonly virtual?: boolean;
  /** True where the destination is in another cluster than the consumer. */
  readonly remote: boolean;
  /** The local name where consumer and destination share a cluster, else the federated one. */
  readonly hostname: string;
  readonly port: number;
  /** True where the destination has just one port, so that naming it adds nothing. */
  readonly onlyPort: boolean;
  /** As in the destination's own facts, where it is of the consumer's cluster and of a mesh of the consumer's type. */
  readonly details?: JsonObject;
  readonly subset?: SubsetView;
  /** Relative to the weights of the other targets, of which one at least is above 0; `percentShares` makes percents of them. */
  readonly weight: number;
  readonly headers?: HeaderManipulationView;
}

/** Workloads of a destination told apart by labels. */
export interface SubsetView {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface RetriesView {
  readonly attempts: number;
  readonly perTryTimeoutMs?: number;
  readonly retryOn?: readonly string[];
  readonly retryRemoteLocalities?: boolean;
}

export interface FaultView {
  readonly delayMs?: number;
  readonly abortStatus?: number;
  /** Percent of requests; omitted: all. */
  readonly percentage?: number;
}

export interface CorsView {
  readonly allowOrigins: readonly StringMatchView[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  /** Whole seconds, in milliseconds. */
  readonly maxAgeMs?: number;
  readonly allowCredentials?: boolean;
}

export interface MirrorView {
  readonly target: Omit<RouteTarget, 'weight' | 'headers'>;
  readonly percentage?: number;
}

export interface RateLimitView {
  readonly requestsPerUnit: number;
  readonly unit: string;
  readonly burst?: number;
}

export interface CsrfView {
  readonly enabled: boolean;
  readonly shadow: boolean;
  readonly percentage?: number;
  readonly additionalOrigins: readonly StringMatchView[];
}

/** What happens to a matched request. An absent field leaves the mesh's own default. */
export interface RouteActions {
  readonly timeoutMs?: Sourced<number>;
  readonly retries?: Sourced<RetriesView>;
  readonly fault?: Sourced<FaultView>;
  readonly cors?: Sourced<CorsView>;
  readonly mirror?: Sourced<MirrorView>;
  readonly headers?: Sourced<HeaderManipulationView>;
  readonly csrf?: Sourced<CsrfView>;
  readonly localRateLimit?: Sourced<RateLimitView>;
  /** Absent: all to the destination itself. */
  readonly shift?: Sourced<readonly RouteTarget[]>;
}

/**
 * One route of one HTTP port. Routes are ordered: the first that matches takes the request. Without a shift it goes to the destination of the
 * view itself. Destinations with the same policies and ports have the very same routes.
 */
export interface RouteView {
  readonly match: RouteMatchView;
  readonly port: PortView;
  readonly actions: RouteActions;
  /** Every policy with a part in this route. */
  readonly from: readonly PolicyRef[];
  /** Those of them that asked for this very match, where others only have settings that it takes over from wider routes. Omitted: all of them. */
  readonly askedBy?: readonly PolicyRef[];
}
