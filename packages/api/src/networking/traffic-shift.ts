// Where requests go instead of the destination they were sent to.
import type { HeaderManipulation } from '../shared/http.ts';
import type { ClusterObjectRef, ObjectRef } from '../shared/ref.ts';

/** A Service, or a subset of its pods, as the goal of a traffic shift. */
export interface WeightedKubeService extends ClusterObjectRef {
  /** Pod labels that narrow the choice; omitted means all pods. */
  readonly subset?: Readonly<Record<string, string>>;
  /** Required when the Service has more than one port. */
  readonly port?: number;
}

/** A VirtualDestination as the goal of a traffic shift. */
export interface WeightedVirtualDestination extends ObjectRef {
  /** Pod labels that narrow the choice; omitted means all pods. */
  readonly subset?: Readonly<Record<string, string>>;
}

/** What happens only to requests that take this goal. */
export interface WeightedDestinationOptions {
  readonly headerManipulation?: HeaderManipulation;
}

/** One goal, exactly one of `kubeService` and `virtualDestination`. */
export interface WeightedDestination {
  /** Percent of the requests; the weights of a shift sum to 100. */
  readonly weight: number;
  readonly kubeService?: WeightedKubeService;
  readonly virtualDestination?: WeightedVirtualDestination;
  readonly options?: WeightedDestinationOptions;
}

/** The goals that share the requests. */
export interface TrafficShift {
  readonly destinations: readonly WeightedDestination[];
}
