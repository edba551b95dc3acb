// spec.policy.trafficShift: sends requests to other destinations than the one they were sent to.
import type * as z from 'zod/mini';
import { labels, list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { exactlyOneOf, withRules } from '../../schema/rule.ts';
import { integer, name, port } from '../../schema/scalar.ts';
import { type HeaderManipulation, headerManipulation } from '../../shared/http.ts';
import type { ClusterObjectRef, ObjectRef } from '../../shared/ref.ts';

/** A Service, or a subset of its pods, as a destination of a traffic shift. */
export interface WeightedKubeService extends ClusterObjectRef {
  /** Pod labels that narrow the choice. Default: all pods. */
  readonly subset?: Readonly<Record<string, string>>;
  /** Required when the Service has more than one port. */
  readonly port?: number;
}

/** A VirtualDestination as a destination of a traffic shift. */
export interface WeightedVirtualDestination extends ObjectRef {
  /** Pod labels that narrow the choice. Default: all pods. */
  readonly subset?: Readonly<Record<string, string>>;
  /** The only port of the VirtualDestination. Default: that port. */
  readonly port?: number;
}

/** Settings only for requests that take this destination. */
export interface WeightedDestinationOptions {
  readonly headerManipulation?: HeaderManipulation;
}

/** One destination, exactly one of `kubeService` and `virtualDestination`. */
export interface WeightedDestination {
  /**
   * Share of the requests, relative to the weights of the other destinations: 1 and 3 are a quarter and three quarters.
   * 0: none. Default: 1.
   */
  readonly weight?: number;
  readonly kubeService?: WeightedKubeService;
  readonly virtualDestination?: WeightedVirtualDestination;
  readonly options?: WeightedDestinationOptions;
}

/** The destinations that share the requests. */
export interface TrafficShift {
  readonly destinations: readonly WeightedDestination[];
}

/** Weight of a destination without `weight`. */
export const DEFAULT_WEIGHT = 1;

/** As in Gateway API. The sum of a full list of such weights fits into the 32 bits that proxies use. */
const MAX_WEIGHT = 1_000_000;

const weightedKubeService: z.ZodMiniType<WeightedKubeService> = object<WeightedKubeService>('WeightedKubeService', {
  required: { name, namespace: name, clusterName: name },
  optional: { subset: labels, port },
});

const weightedVirtualDestination: z.ZodMiniType<WeightedVirtualDestination> = object<WeightedVirtualDestination>(
  'WeightedVirtualDestination',
  { required: { name, namespace: name }, optional: { subset: labels, port } },
);

const weightedDestinationOptions: z.ZodMiniType<WeightedDestinationOptions> = object<WeightedDestinationOptions>(
  'WeightedDestinationOptions',
  { required: {}, optional: { headerManipulation } },
);

const weightedDestination: z.ZodMiniType<WeightedDestination> = object<WeightedDestination>(
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

const weightedDestinations: z.ZodMiniType<readonly WeightedDestination[]> = withRules(
  list(weightedDestination, { minimum: 1 }),
  [
    {
      message: 'must have a weight above 0',
      holds: (destinations) => destinations.length === 0 || destinations.some(takesRequests),
      found: () => 'each is 0, so no destination would take a request',
      cel: 'self.exists(destination, !has(destination.weight) || destination.weight > 0)',
    },
  ],
);

function takesRequests({ weight = DEFAULT_WEIGHT }: WeightedDestination): boolean {
  return weight > 0;
}

const HEADERS = { headerManipulation: { appendRequestHeaders: { 'x-canary': 'true' } } };

export const trafficShift: SpecField<TrafficShift> = {
  schema: object<TrafficShift>('TrafficShift', {
    required: { destinations: weightedDestinations },
    optional: {},
  }),
  examples: [
    {
      destinations: [
        {
          weight: 90,
          kubeService: {
            name: 'reviews',
            namespace: 'shop',
            clusterName: 'cluster-1',
            subset: { version: 'v1' },
            port: 9080,
          },
        },
        {
          weight: 10,
          kubeService: { name: 'reviews', namespace: 'shop', clusterName: 'cluster-1', subset: { version: 'v2' } },
          options: HEADERS,
        },
      ],
    },
    {
      destinations: [
        {
          virtualDestination: {
            name: 'reviews-everywhere',
            namespace: 'meshrelay',
            subset: { version: 'v2' },
            port: 9080,
          },
        },
      ],
    },
  ],
};
