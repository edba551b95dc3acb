/** Where routes send requests. */
import type { JsonObject } from '@meshrelay/api';
import type { Key } from '../graph/key.ts';
import type { HeaderManipulationView } from './headers.ts';
import type { SubsetView } from './subset.ts';

/** The target of a share of a route's requests, as the consumer of the route names it. */
export interface RouteTarget {
  /** The key of a destination, or of the policy of a virtual destination. */
  readonly destination: Key;
  /** True for a virtual destination. */
  readonly virtual?: boolean;
  /** True if the destination is in another cluster than the consumer. */
  readonly remote: boolean;
  /** The local name if consumer and destination share a cluster, otherwise the federated one. */
  readonly hostname: string;
  readonly port: number;
  /** True if the destination has only one port, so that naming it adds nothing. */
  readonly onlyPort: boolean;
  /** As in the destination's own facts, if it is in the consumer's cluster and in a mesh of the consumer's type. */
  readonly details?: JsonObject;
  readonly subset?: SubsetView;
  /**
   * Relative to the weights of the other targets, of which at least one is above 0; `percentShares` converts them to
   * percentages.
   */
  readonly weight: number;
  readonly headers?: HeaderManipulationView;
}
