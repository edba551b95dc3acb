/** A destination as the proxies of another mesh reach it. */
import type { PolicyRef } from '@meshrelay/api';
import type { TcpKeepaliveView } from '../../fields/traffic/connection-pool.ts';
import type { ConnectionView } from '../../fields/traffic/mod.ts';
import type { EndpointMultiplicity, EndpointView } from './endpoint.ts';
import type { DestinationFacts, MeshFacts } from './facts.ts';
import type { InboundView } from './inbound.ts';
import type { RouteView } from './route.ts';
import type { Sourced } from './sourced.ts';
import type { SubsetView } from './subset.ts';

/**
 * A destination as the proxies of another mesh reach it, but for where its endpoints are. One for each federated destination and consuming
 * mesh, as long as there is a way at all.
 */
export interface FederatedDestinationView {
  readonly destination: DestinationFacts;
  readonly consumer: MeshFacts;
  readonly hostname: string;
  /** True where requests go to the pods themselves, so that their own labels tell subsets apart; else they go through gateways. */
  readonly direct: boolean;
  readonly endpointMultiplicity: EndpointMultiplicity;
  readonly routes: readonly RouteView[];
  readonly subsets: readonly Sourced<SubsetView>[];
  readonly connection: ConnectionView;
  readonly tcpKeepalive?: TcpKeepaliveView;
  readonly virtualMesh: PolicyRef;
  /** Which connections the pods take, where they are reached directly, somebody says so and callers are told how to connect. */
  readonly inbound?: InboundView;
}

/** Where the requests of a {@link FederatedDestinationView} go. Apart from it, so that a pod or gateway that comes or goes re-renders no route. */
export interface EndpointsView {
  readonly destination: DestinationFacts;
  readonly consumer: MeshFacts;
  readonly hostname: string;
  /** True where the endpoints are the pods, else they are gateways. */
  readonly direct: boolean;
  /**
   * Virtual IP, the same for ever (from the ledger): in 240.0.0.0/4, or, where the consumer's pods have IPv6 only, the same number in a
   * unique local network of IPv6.
   */
  readonly address: string;
  /** Not empty. */
  readonly endpoints: readonly EndpointView[];
  readonly virtualMesh: PolicyRef;
}
