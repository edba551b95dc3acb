// Where requests go instead of the destination they were sent to.
import type { z } from 'zod';
import { DEFAULT_WEIGHT } from '../defaults.ts';
import { labels, list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { exactlyOneOf, withRules } from '../schema/rule.ts';
import { integer, name, port } from '../schema/scalar.ts';
import { type HeaderManipulation, headerManipulation } from '../shared/http.ts';
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
  /** The port of the VirtualDestination, of which there is one; omitted means that one. */
  readonly port?: number;
}

/** What happens only to requests that take this goal. */
export interface WeightedDestinationOptions {
  readonly headerManipulation?: HeaderManipulation;
}

/** One goal, exactly one of `kubeService` and `virtualDestination`. */
export interface WeightedDestination {
  /** Share of the requests, relative to the weights of the other goals: 1 and 3 are a quarter and three quarters. 0: none; omitted: 1. */
  readonly weight?: number;
  readonly kubeService?: WeightedKubeService;
  readonly virtualDestination?: WeightedVirtualDestination;
  readonly options?: WeightedDestinationOptions;
}

/** The goals that share the requests. */
export interface TrafficShift {
  readonly destinations: readonly WeightedDestination[];
}

/** As in Gateway API. The sum of a whole list of such weights is within the 32 bits that proxies count with. */
const MAX_WEIGHT = 1_000_000;

const weightedKubeService: z.ZodType<WeightedKubeService> = object<WeightedKubeService>('WeightedKubeService', {
  required: { name, namespace: name, clusterName: name },
  optional: { subset: labels, port },
});

const weightedVirtualDestination: z.ZodType<WeightedVirtualDestination> = object<WeightedVirtualDestination>(
  'WeightedVirtualDestination',
  { required: { name, namespace: name }, optional: { subset: labels, port } },
);

const weightedDestinationOptions: z.ZodType<WeightedDestinationOptions> = object<WeightedDestinationOptions>(
  'WeightedDestinationOptions',
  { required: {}, optional: { headerManipulation } },
);

const weightedDestination: z.ZodType<WeightedDestination> = object<WeightedDestination>(
  'WeightedDestination',
  {
    required: {},
    optional: {
      weight: integer(0, MAX_WEIGHT),
      kubeService: weightedKubeService,
      virtualDestination: weightedVirtualDestination,
      options: weightedDestinationOptions,
    },
  },
  [exactlyOneOf<WeightedDestination>('kubeService', 'virtualDestination')],
);

const weightedDestinations: z.ZodType<readonly WeightedDestination[]> = withRules(
  list(weightedDestination, { minimum: 1 }),
  [
    {
      message: 'must have a weight above 0',
      holds: (destinations) => destinations.length === 0 || destinations.some(takesRequests),
      found: () => 'each is 0, so no goal would take a request',
      cel: 'self.exists(destination, !has(destination.weight) || destination.weight > 0)',
    },
  ],
);

function takesRequests({ weight = DEFAULT_WEIGHT }: WeightedDestination): boolean {
  return weight > 0;
}

/** Schema of {@link TrafficShift}. */
export const trafficShift: z.ZodType<TrafficShift> = object<TrafficShift>('TrafficShift', {
  required: { destinations: weightedDestinations },
  optional: {},
});
