/** Where routes send requests. */
import type { JsonObject } from '@meshrelay/api';
import type { HeaderManipulationView } from '../../fields/traffic/header-manipulation.ts';
import type { Key } from '../../graph/key.ts';
import type { SubsetView } from './subset.ts';

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
