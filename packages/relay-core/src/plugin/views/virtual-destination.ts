/** A name that stands for Services of several clusters. */
import type { PolicyRef } from '@meshrelay/api';
import type { TcpKeepaliveView } from '../../fields/traffic/connection-pool.ts';
import type { ConnectionView } from '../../fields/traffic/mod.ts';
import type { OutlierDetectionView } from '../../fields/traffic/outlier-detection.ts';
import type { EndpointView, LocalityView } from './endpoint.ts';
import type { DestinationFacts, MeshFacts, PortProtocol, PortView } from './facts.ts';
import type { InboundView } from './inbound.ts';
import type { GatewayAccountView } from './mesh.ts';
import type { Sourced } from './sourced.ts';
import type { SubsetView } from './subset.ts';

/** What stands behind a virtual destination in one cluster, as one consumer reaches it. */
export interface VirtualEndpointGroup {
  readonly destination: DestinationFacts;
  /** The port of its Service that takes the requests. */
  readonly port: PortView;
  /** 0 is the best; equal priorities share the requests, the nearer first. */
  readonly priority: number;
  /** True where it is in the consumer's own cluster: requests go to its pods. */
  readonly local: boolean;
  /** The ways to it; empty where it is local. */
  readonly endpoints: readonly EndpointView[];
  /** Which connections its pods accept, where it is local and an object says so. */
  readonly inbound?: InboundView;
}

/** Where callers of a place go first when nothing near them is healthy. */
export interface FailoverDirectiveView {
  readonly from: LocalityView;
  /** Best first. */
  readonly to: readonly LocalityView[];
}

/** How endpoints of a virtual destination stand in for each other. */
export type FailoverView =
  /** In the order of the groups' priorities, wherever the caller is. */
  | { readonly kind: 'static' }
  /** The caller's own cluster first, then by place. */
  | { readonly kind: 'localized'; readonly directives: readonly FailoverDirectiveView[] };

/** How the cluster of a local group lets requests for the virtual destination in. */
export interface GatewayRouteView {
  /** The name by which gateways know the group's pods, and nothing else. */
  readonly hostname: string;
  /** An IP address of that name alone, which nobody dials: it tells names apart where a mesh needs an address to. */
  readonly address: string;
  /** Namespaces of the gateways that pass requests on; each must see the name. */
  readonly gatewayNamespaces: readonly string[];
  /** The ServiceAccounts of those gateways. */
  readonly gatewayAccounts: readonly GatewayAccountView[];
}

/** A virtual destination as the proxies of one mesh reach it. One for each consuming mesh. */
export interface VirtualDestinationView {
  readonly virtualDestination: PolicyRef;
  readonly consumer: MeshFacts;
  readonly hostname: string;
  /** Virtual IP of the name, of a family that the consumer's pods have; the same for ever (from the ledger). */
  readonly address: string;
  /** As callers use it. */
  readonly port: { readonly number: number; readonly protocol: PortProtocol };
  /** Best first; of each cluster one at most. Those that cannot be reached now are left out. */
  readonly groups: readonly VirtualEndpointGroup[];
  readonly failover: FailoverView;
  /** Without it no mesh would notice that something is to be failed over. */
  readonly outlierDetection: OutlierDetectionView;
  /** Who may answer: `<trust domain>/ns/<ns>/sa/<name>` of all members' pods, sorted. Empty where nobody knows yet. */
  readonly identities: readonly string[];
  /** The name under which gateways of other clusters let requests in. */
  readonly gatewayHostname: string;
  /** For connections to other clusters. */
  readonly tcpKeepalive?: TcpKeepaliveView;
  /** Where this mesh has a group that callers of other clusters reach through its gateways. */
  readonly gatewayRoute?: GatewayRouteView;
  /** Where `hostname` is the own name of the local group's Service: what policies say of connections to it. */
  readonly sameHostname?: { readonly connection: ConnectionView; readonly subsets: readonly Sourced<SubsetView>[] };
}
