/** A destination as the proxies of another mesh reach it. */
import type { PolicyRef } from '@meshrelay/api';
import type { ConnectionView, TcpKeepaliveView } from './connection.ts';
import type { EndpointMultiplicity, EndpointView } from './endpoint.ts';
import type { DestinationFacts, MeshFacts } from './facts.ts';
import type { InboundView } from './inbound.ts';
import type { RouteView } from './route.ts';
import type { Sourced } from './sourced.ts';
import type { SubsetView } from './subset.ts';

/**
 * A destination as the proxies of another mesh reach it, except for its endpoints. One for each federated destination
 * and consuming mesh, as long as there is any path.
 */
export interface FederatedDestinationView {
  readonly destination: DestinationFacts;
  readonly consumer: MeshFacts;
  readonly hostname: string;
  /**
   * True if requests go directly to the pods, so that pod labels select subsets; otherwise they go through gateways.
   */
  readonly direct: boolean;
  readonly endpointMultiplicity: EndpointMultiplicity;
  readonly routes: readonly RouteView[];
  readonly subsets: readonly Sourced<SubsetView>[];
  readonly connection: ConnectionView;
  readonly tcpKeepalive?: TcpKeepaliveView;
  readonly virtualMesh: PolicyRef;
  /**
   * Which connections the pods accept; present if callers reach them directly and get connection settings, and an
   * object configures it.
   */
  readonly inbound?: InboundView;
}

/**
 * The endpoints of a {@link FederatedDestinationView}. Separate, so that a change of a pod or gateway does not rebuild
 * any route.
 */
export interface EndpointsView {
  readonly destination: DestinationFacts;
  readonly consumer: MeshFacts;
  readonly hostname: string;
  /** True if the endpoints are pods, false if they are gateways. */
  readonly direct: boolean;
  /**
   * Virtual IP, which never changes (from the ledger): in 240.0.0.0/4. If the consumer's pods have only IPv6, the same
   * number in a unique local IPv6 network.
   */
  readonly address: string;
  /** Not empty. */
  readonly endpoints: readonly EndpointView[];
  readonly virtualMesh: PolicyRef;
}
