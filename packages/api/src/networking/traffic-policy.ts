// TrafficPolicy: how requests to destinations are handled.
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import type { HeaderManipulation, HttpMatcher } from '../shared/http.ts';
import type { DestinationSelector, WorkloadSelector } from '../shared/selector.ts';
import type { PolicyStatus } from '../shared/status.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type {
  CorsPolicy,
  Csrf,
  FaultInjection,
  LocalRateLimit,
  Mirror,
  MtlsPolicy,
  OutlierDetection,
  Retries,
} from './traffic-rules.ts';
import type { TrafficShift } from './traffic-shift.ts';

/** The settings; what is omitted stays as the mesh, or another policy, has it. */
export interface TrafficRules {
  readonly trafficShift?: TrafficShift;
  readonly faultInjection?: FaultInjection;
  /** Go-style duration a request may take, retries included. */
  readonly requestTimeout?: string;
  readonly retries?: Retries;
  readonly corsPolicy?: CorsPolicy;
  readonly mirror?: Mirror;
  readonly headerManipulation?: HeaderManipulation;
  /** Only without `sourceSelector`. */
  readonly outlierDetection?: OutlierDetection;
  readonly connectionPool?: ConnectionPool;
  /** Overrides the Settings object. */
  readonly mtls?: MtlsPolicy;
  readonly csrf?: Csrf;
  readonly localRateLimit?: LocalRateLimit;
}

/** Which requests, and what to do with them. */
export interface TrafficPolicySpec {
  /** Clients; omitted or empty: all. */
  readonly sourceSelector?: readonly WorkloadSelector[];
  /** Omitted or empty: every destination. */
  readonly destinationSelector?: readonly DestinationSelector[];
  /** A request need match one of them; omitted or empty: every request. */
  readonly httpRequestMatchers?: readonly HttpMatcher[];
  readonly policy?: TrafficRules;
}

/** How requests to destinations are handled. */
export interface TrafficPolicy extends KubeObject<TrafficPolicySpec, PolicyStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'TrafficPolicy';
}
