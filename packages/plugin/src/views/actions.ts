/** What happens to a matched request. */
import type { HeaderManipulationView } from './headers.ts';
import type { RouteTarget } from './route-target.ts';
import type { Sourced } from './sourced.ts';
import type { StringMatchView } from './string-match.ts';

/** What happens to a matched request. An absent field leaves the mesh's own default. */
export interface RouteActions {
  /** Absent: all requests go to the destination itself. */
  readonly shift?: Sourced<readonly RouteTarget[]>;
  readonly fault?: Sourced<FaultView>;
  readonly timeoutMs?: Sourced<number>;
  readonly retries?: Sourced<RetriesView>;
  readonly cors?: Sourced<CorsView>;
  readonly mirror?: Sourced<MirrorView>;
  readonly headers?: Sourced<HeaderManipulationView>;
  readonly csrf?: Sourced<CsrfView>;
  readonly localRateLimit?: Sourced<RateLimitView>;
}

export interface FaultView {
  readonly delayMs?: number;
  readonly abortStatus?: number;
  /** Percent of requests; omitted: all. */
  readonly percentage?: number;
}

export interface RetriesView {
  readonly attempts: number;
  readonly perTryTimeoutMs?: number;
  readonly backoffMs?: number;
  readonly retryOn?: readonly string[];
  readonly retryRemoteLocalities?: boolean;
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

export interface CsrfView {
  readonly enabled: boolean;
  readonly shadow: boolean;
  readonly percentage?: number;
  readonly additionalOrigins: readonly StringMatchView[];
}

export interface RateLimitView {
  readonly requestsPerUnit: number;
  readonly unit: string;
  readonly burst?: number;
}
