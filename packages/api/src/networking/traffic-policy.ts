// TrafficPolicy: how requests to destinations are handled.
import type { z } from 'zod';
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { duration } from '../schema/scalar.ts';
import { type HeaderManipulation, type HttpMatcher, headerManipulation, httpMatcher } from '../shared/http.ts';
import {
  type DestinationSelector,
  destinationSelector,
  type WorkloadSelector,
  workloadSelector,
} from '../shared/selector.ts';
import type { PolicyStatus } from '../shared/status.ts';
import { type ConnectionPool, connectionPool } from './connection-pool.ts';
import {
  type CorsPolicy,
  type Csrf,
  corsPolicy,
  csrf,
  type FaultInjection,
  faultInjection,
  type LocalRateLimit,
  localRateLimit,
  type Mirror,
  type MtlsPolicy,
  mirror,
  mtlsPolicy,
  type OutlierDetection,
  outlierDetection,
  type Retries,
  retries,
} from './traffic-rules.ts';
import { type TrafficShift, trafficShift } from './traffic-shift.ts';

/** The settings; what is omitted is as the most specific of the policies for all of these requests has it, else as the mesh does. */
export interface TrafficRules {
  readonly trafficShift?: TrafficShift;
  readonly faultInjection?: FaultInjection;
  /** Go-style duration a request may take, retries included. */
  readonly requestTimeout?: string;
  readonly retries?: Retries;
  readonly corsPolicy?: CorsPolicy;
  readonly mirror?: Mirror;
  readonly headerManipulation?: HeaderManipulation;
  /** Holds for all requests; only without `sourceSelector`. */
  readonly outlierDetection?: OutlierDetection;
  /** Holds for all callers and requests. */
  readonly connectionPool?: ConnectionPool;
  /** Holds for all callers and requests; overrides the Settings object. */
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
  /**
   * A request need match one of them; omitted or empty: every request. Of those of all policies that it matches, the most specific decides: by path (exact, regex,
   * prefix, suffix, none, and of a kind the longer), then by headers, query parameters, labels and namespace of the caller, and method.
   */
  readonly httpRequestMatchers?: readonly HttpMatcher[];
  readonly policy?: TrafficRules;
}

/** How requests to destinations are handled. */
export interface TrafficPolicy extends KubeObject<TrafficPolicySpec, PolicyStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'TrafficPolicy';
}

const trafficRules: z.ZodType<TrafficRules> = object<TrafficRules>('TrafficRules', {
  required: {},
  optional: {
    trafficShift,
    faultInjection,
    requestTimeout: duration,
    retries,
    corsPolicy,
    mirror,
    headerManipulation,
    outlierDetection,
    connectionPool,
    mtls: mtlsPolicy,
    csrf,
    localRateLimit,
  },
});

/** Schema of {@link TrafficPolicySpec}. */
export const trafficPolicySpec: z.ZodType<TrafficPolicySpec> = object<TrafficPolicySpec>(
  'TrafficPolicySpec',
  {
    required: {},
    optional: {
      sourceSelector: list(workloadSelector),
      destinationSelector: list(destinationSelector),
      httpRequestMatchers: list(httpMatcher),
      policy: trafficRules,
    },
  },
  [
    {
      message: 'must not select workloads where policy.outlierDetection is set, which holds for all clients alike',
      holds: ({ policy, sourceSelector = [] }) =>
        policy?.outlierDetection === undefined || sourceSelector.every((item) => Object.keys(item).length === 0),
      cel:
        '!has(self.policy) || !has(self.policy.outlierDetection) || !has(self.sourceSelector) || ' +
        'self.sourceSelector.all(item, !has(item.kubeWorkloadMatcher))',
      field: 'sourceSelector',
    },
  ],
);
