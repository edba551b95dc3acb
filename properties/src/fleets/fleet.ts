/** The vocabulary of random fleets: few names, so that random objects refer to each other. */
import type { KubeObject } from '@meshrelay/api';
import fc from 'fast-check';

/** Mesh types by cluster; a cluster without one has plain workloads only. */
export const CLUSTERS: Readonly<Record<string, 'istio' | 'osm' | undefined>> = {
  east: 'istio',
  west: 'istio',
  north: 'osm',
  south: 'istio',
  'old-west': 'osm',
  plain: undefined,
};

/** Names of its clusters. */
export const CLUSTER_NAMES: readonly string[] = Object.keys(CLUSTERS);
/** Clusters that every fleet has, and that policies name most often. */
export const MAIN_CLUSTERS = ['east', 'west', 'north'] as const;
/** Any cluster, most often one of the main ones. */
export const someCluster: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...MAIN_CLUSTERS) },
  { weight: 1, arbitrary: fc.constantFrom(...CLUSTER_NAMES) },
);
/** Namespaces of services. */
export const NAMESPACES = ['shop', 'shop', 'shop', 'bank'] as const;
/** Services, one of them the gateway. */
export const SERVICES = ['cart', 'cart', 'pay', 'pay', 'cart-v2', 'gw'] as const;
/** Names of policies. */
export const POLICY_NAMES = ['one', 'two', 'three', 'four'] as const;

/** An object of a cluster; '' is the management cluster. */
export interface Placed {
  readonly cluster: string;
  readonly object: KubeObject;
}

/** Sets an object, or deletes the one of its name. */
export interface Change extends Placed {
  readonly gone: boolean;
}

/** Changes that happen at once. */
export type Event = readonly Change[];
