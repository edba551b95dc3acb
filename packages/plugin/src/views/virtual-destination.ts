/** A name for Services of several clusters. */
import type { PolicyRef, VirtualDestinationPort } from '@meshrelay/api';
import type { ConnectionView, OutlierDetectionView, TcpKeepaliveView } from './connection.ts';
import type { EndpointView } from './endpoint.ts';
import type { DestinationFacts, MeshFacts, PortView } from './facts.ts';
import type { FailoverView } from './failover.ts';
import type { InboundView } from './inbound.ts';
import type { GatewayAccountView } from './mesh.ts';
import type { Sourced } from './sourced.ts';
import type { SubsetView } from './subset.ts';

/** The members of a {@link VirtualDestinationView} that the spec alone defines. */
export interface VirtualDestinationSettings {
  /** The port that callers use. */
  readonly port: Pick<VirtualDestinationPort, 'number' | 'protocol'>;
  readonly failover: FailoverView;
  /** Without it no mesh would detect that it must fail over. */
  readonly outlierDetection: OutlierDetectionView;
}

/** The backends of a virtual destination in one cluster, as one consumer reaches them. */
export interface VirtualEndpointGroup {
  readonly destination: DestinationFacts;
  /** The port of its Service that takes the requests. */
  readonly port: PortView;
  /** 0 is the highest; equal priorities share the requests, nearer endpoints first. */
  readonly priority: number;
  /** True if it is in the consumer's own cluster: requests go to its pods. */
  readonly local: boolean;
  /** Its endpoints; empty if it is local. */
  readonly endpoints: readonly EndpointView[];
  /** Which connections its pods accept, if it is local and an object configures it. */
  readonly inbound?: InboundView;
}

/** How the cluster of a local group admits requests for the virtual destination. */
export interface GatewayRouteView {
  /** The hostname under which gateways know the group's pods, and nothing else. */
  readonly hostname: string;
  /**
   * An IP address of that hostname only, which no client dials: it distinguishes names in meshes that need an address
   * for it.
   */
  readonly address: string;
  /** Namespaces of the gateways that forward requests; each must see the name. */
  readonly gatewayNamespaces: readonly string[];
  /** The ServiceAccounts of those gateways. */
  readonly gatewayAccounts: readonly GatewayAccountView[];
}

/** A virtual destination as the proxies of one mesh reach it. One for each consuming mesh. */
export interface VirtualDestinationView extends VirtualDestinationSettings {
  readonly virtualDestination: PolicyRef;
  readonly consumer: MeshFacts;
  readonly hostname: string;
  /** Virtual IP of the name, of a family that the consumer's pods have; it never changes (from the ledger). */
  readonly address: string;
  /** Highest priority first; at most one of each cluster. Groups that are currently unreachable are left out. */
  readonly groups: readonly VirtualEndpointGroup[];
  /**
   * The identities that servers may have: `<trust domain>/ns/<ns>/sa/<name>` of all members' pods, sorted. Empty while
   * they are unknown.
   */
  readonly identities: readonly string[];
  /** The hostname under which gateways of other clusters admit requests. */
  readonly gatewayHostname: string;
  /** For connections to other clusters. */
  readonly tcpKeepalive?: TcpKeepaliveView;
  /** Present if this mesh has a group that callers of other clusters reach through its gateways. */
  readonly gatewayRoute?: GatewayRouteView;
  /**
   * If `hostname` is the name of the local group's Service itself: the connection settings and subsets of the policies
   * for that Service.
   */
  readonly sameHostname?: { readonly connection: ConnectionView; readonly subsets: readonly Sourced<SubsetView>[] };
}
