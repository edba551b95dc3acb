// TrafficPolicy: how requests to destinations are handled.
import type * as z from 'zod/mini';
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { type HttpMatcher, httpMatcher } from '../shared/http.ts';
import {
  type DestinationSelector,
  destinationSelector,
  type WorkloadSelector,
  workloadSelector,
} from '../shared/selector.ts';
import type { PolicyStatus } from '../shared/status.ts';
import { type TrafficRules, trafficRules } from './traffic/fields.ts';

/** Which requests, and what to do with them. */
export interface TrafficPolicySpec {
  /** Clients; omitted or empty: all. */
  readonly sourceSelector?: readonly WorkloadSelector[];
  /** Omitted or empty: every destination. */
  readonly destinationSelector?: readonly DestinationSelector[];
  /**
   * A request must match one of them; omitted or empty: every request. If matchers of several policies match a request,
   * the most specific one applies. The order is by path (exact, regex, prefix, suffix, none; the longer of one type),
   * then by headers, query parameters, labels and namespace of the caller, and method.
   */
  readonly httpRequestMatchers?: readonly HttpMatcher[];
  readonly policy?: TrafficRules;
}

/** How requests to destinations are handled. */
export interface TrafficPolicy extends KubeObject<TrafficPolicySpec, PolicyStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'TrafficPolicy';
}

/** Schema of {@link TrafficPolicySpec}. */
export const trafficPolicySpec: z.ZodMiniType<TrafficPolicySpec> = object<TrafficPolicySpec>(
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
      message: 'must not select workloads where policy.outlierDetection is set, which applies to all clients',
      holds: ({ policy, sourceSelector = [] }) =>
        policy?.outlierDetection === undefined || sourceSelector.every((item) => Object.keys(item).length === 0),
      cel:
        '!has(self.policy) || !has(self.policy.outlierDetection) || !has(self.sourceSelector) || ' +
        'self.sourceSelector.all(item, !has(item.kubeWorkloadMatcher))',
      field: 'sourceSelector',
    },
  ],
);
