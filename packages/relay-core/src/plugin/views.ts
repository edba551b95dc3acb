/**
 * What a plugin is given to translate: the semantics done once, in neutral words. Plugins map views to their mesh's own objects
 * and decide nothing about selectors, precedence, conflicts, federation or trust.
 */
import type { IpFamily, JsonObject, PolicyRef } from '@meshrelay/api';
import type { Key } from '../graph/key.ts';

/** A value and the policies that set it (more than one where equal values merged), in order of precedence. */
export interface Sourced<T> {
  readonly value: T;
  readonly from: readonly PolicyRef[];
}

/** A mesh as discovered: one control plane in one cluster. */
export interface MeshFacts {
  readonly key: Key;
  readonly cluster: string;
  /** The cluster's DNS domain, `cluster.local` unless its KubernetesCluster says otherwise. */
  readonly clusterDomain: string;
  /** Name and namespace of the control plane's Deployment. */
  readonly name: string;
  readonly namespace: string;
  /** The plugin's mesh type, such as `istio`. */
  readonly type: string;
  readonly trustDomain: string;
  readonly trustDomainAliases: readonly string[];
  /** Whether proxies resolve hosts of the mesh by themselves; without it clients need addresses or a DNS stub. */
  readonly capturesDns: boolean;
  /** Families of the addresses its pods have; empty where they are not known. */
  readonly ipFamilies: readonly IpFamily[];
  /** What the plugin found out for its own use (`FoundMesh.details`). */
  readonly details: JsonObject;
}

/** AUTO: the Service does not say, so the proxy finds out from the bytes. */
export type PortProtocol =
  | 'AUTO'
  | 'HTTP'
  | 'HTTP2'
  | 'GRPC'
  | 'HTTPS'
  | 'TLS'
  | 'TCP'
  | 'MONGO'
  | 'MYSQL'
  | 'REDIS'
  | 'UDP';

export interface PortView {
  /** The Service's port number. */
  readonly number: number;
  readonly name: string;
  /** From appProtocol, else the name's prefix, else AUTO. */
  readonly protocol: PortProtocol;
  /** The container's port where it is a number. */
  readonly targetPort?: number;
}

/** A Kubernetes Service as discovered, without what changes by the second (endpoints). */
export interface DestinationFacts {
  readonly key: Key;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  /** `<name>.<namespace>.svc.<cluster domain>`. */
  readonly hostname: string;
  readonly ports: readonly PortView[];
  readonly labels: Readonly<Record<string, string>>;
  /** The Service's pod selector; empty for services without one. */
  readonly workloadSelector: Readonly<Record<string, string>>;
  /** Names of the ServiceAccounts its pods run under, sorted; empty where it has no pods. */
  readonly serviceAccounts: readonly string[];
  readonly serviceType: string;
  /** True where the Service has no address of its own, so that its name stands for its pods. */
  readonly headless: boolean;
  readonly mesh: MeshFacts;
}

export type StringMatchView =
  | { readonly exact: string; readonly ignoreCase: boolean }
  | { readonly prefix: string; readonly ignoreCase: boolean }
  | { readonly regex: string; readonly ignoreCase: boolean }
  | { readonly suffix: string; readonly ignoreCase: boolean };

export interface NamedValueMatch {
  readonly name: string;
  /** Omitted: the name must be present with any value. */
  readonly value?: string;
  readonly regex: boolean;
  /** True: requests that fit do NOT match. */
  readonly invert: boolean;
}

/** All parts must fit (AND); an absent part fits everything. */
export interface RouteMatchView {
  readonly name?: string;
  readonly uri?: StringMatchView;
  readonly headers: readonly NamedValueMatch[];
  readonly queryParameters: readonly NamedValueMatch[];
  readonly method?: string;
  /** Labels of the calling workload. */
  readonly sourceLabels?: Readonly<Record<string, string>>;
  /** Namespace of the calling workload. */
  readonly sourceNamespace?: string;
}

export interface HeaderManipulationView {
  readonly requestAdd: Readonly<Record<string, string>>;
  readonly requestRemove: readonly string[];
  readonly responseAdd: Readonly<Record<string, string>>;
  readonly responseRemove: readonly string[];
}

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
  readonly subset?: SubsetView;
  /** Percent; the weights of a route sum to 100. */
  readonly weight: number;
  readonly headers?: HeaderManipulationView;
}

/** Workloads of a destination told apart by labels. */
export interface SubsetView {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface RetriesView {
  readonly attempts: number;
  readonly perTryTimeoutMs?: number;
  readonly retryOn?: readonly string[];
  readonly retryRemoteLocalities?: boolean;
}

export interface FaultView {
  readonly delayMs?: number;
  readonly abortStatus?: number;
  /** Percent of requests; omitted: all. */
  readonly percentage?: number;
}

export interface CorsView {
  readonly allowOrigins: readonly StringMatchView[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeMs?: number;
  readonly allowCredentials?: boolean;
}

export interface MirrorView {
  readonly target: Omit<RouteTarget, 'weight' | 'headers'>;
  readonly percentage?: number;
}

export interface RateLimitView {
  readonly requestsPerUnit: number;
  readonly unit: string;
  readonly burst?: number;
}

export interface CsrfView {
  readonly enabled: boolean;
  readonly shadow: boolean;
  readonly percentage?: number;
  readonly additionalOrigins: readonly StringMatchView[];
}

/** What happens to a matched request. An absent field leaves the mesh's own default. */
export interface RouteActions {
  readonly timeoutMs?: Sourced<number>;
  readonly retries?: Sourced<RetriesView>;
  readonly fault?: Sourced<FaultView>;
  readonly cors?: Sourced<CorsView>;
  readonly mirror?: Sourced<MirrorView>;
  readonly headers?: Sourced<HeaderManipulationView>;
  readonly csrf?: Sourced<CsrfView>;
  readonly localRateLimit?: Sourced<RateLimitView>;
  /** Absent: all to the destination itself. */
  readonly shift?: Sourced<readonly RouteTarget[]>;
}

/** One route of one HTTP port. Routes are ordered: the first that matches takes the request. */
export interface RouteView {
  readonly match: RouteMatchView;
  readonly port: PortView;
  readonly actions: RouteActions;
  /** The destination itself as the consumer must name it: where requests go without a shift. */
  readonly self: RouteTarget;
  /** Every policy with a part in this route. */
  readonly from: readonly PolicyRef[];
  /** Those of them that asked for this very match, where others only have settings that it takes over from wider routes. Omitted: all of them. */
  readonly askedBy?: readonly PolicyRef[];
}

export type MtlsMode = 'DISABLE' | 'SIMPLE' | 'MUTUAL';

export interface OutlierDetectionView {
  readonly consecutiveErrors: number;
  readonly intervalMs: number;
  readonly baseEjectionTimeMs: number;
  readonly maxEjectionPercent: number;
}

export interface TcpKeepaliveView {
  readonly probes?: number;
  readonly timeMs?: number;
  readonly intervalMs?: number;
}

export interface ConnectionPoolView {
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  readonly tcpKeepalive?: TcpKeepaliveView;
  readonly http1MaxPendingRequests?: number;
  readonly http2MaxRequests?: number;
  readonly maxRequestsPerConnection?: number;
  readonly idleTimeoutMs?: number;
}

/** How clients connect to a destination. */
export interface ConnectionView {
  readonly mtls?: Sourced<MtlsMode>;
  readonly outlierDetection?: Sourced<OutlierDetectionView>;
  readonly pool?: Sourced<ConnectionPoolView>;
}

/** Who may call. `*` as the last character of a principal stands for any ending. Principals are `<trust domain>/ns/<ns>/sa/<name>`. */
export type AccessSources =
  | { readonly kind: 'principals'; readonly principals: readonly string[] }
  /** Anyone at all, authenticated or not. */
  | { readonly kind: 'anyone' };

export interface AccessRuleView {
  readonly action: 'ALLOW' | 'DENY' | 'AUDIT';
  readonly sources: AccessSources;
  /** `/exact`, `/prefix*`, `*suffix`; empty: any. */
  readonly paths: readonly string[];
  readonly methods: readonly string[];
  readonly ports: readonly number[];
  readonly notPaths: readonly string[];
  readonly notMethods: readonly string[];
  readonly notPorts: readonly number[];
  readonly from: readonly PolicyRef[];
}

/** A destination's name in its VirtualMesh, and how its own cluster lets requests for it in. */
export interface ExportView {
  /** `<service>.<namespace>.svc.<cluster>.<suffix>`. */
  readonly hostname: string;
  readonly virtualMesh: PolicyRef;
  /** Virtual IP of the name, of a family that pods of its own mesh have. */
  readonly address: string;
  /** Namespaces of the gateways that pass requests on; each must see the name. Empty where requests reach its pods directly. */
  readonly gatewayNamespaces: readonly string[];
}

/** A ServiceAccount of a destination that pods of other Services run under too. */
export interface SharedAccount {
  readonly serviceAccount: string;
  /** Some of those Services, by name: they are of the same namespace. */
  readonly services: readonly string[];
}

/** A destination as the proxies of its own mesh must see it. One for each destination of a mesh that something is said about. */
export interface DestinationView {
  readonly destination: DestinationFacts;
  readonly routes: readonly RouteView[];
  /** Subsets that routes anywhere send to. */
  readonly subsets: readonly Sourced<SubsetView>[];
  readonly connection: ConnectionView;
  readonly access: readonly AccessRuleView[];
  /** For meshes that decide access by the callee's ServiceAccount. Empty where there are no access rules. */
  readonly sharedAccounts: readonly SharedAccount[];
  readonly exported?: ExportView;
  /** The virtual destination that has this very hostname: connections to it are a matter of that one's view. */
  readonly virtualDestination?: { readonly ref: PolicyRef; readonly failover: FailoverView['kind'] };
}

export type AddressKind = 'ipv4' | 'ipv6' | 'hostname';

/** Where something runs, as its node's labels tell it. */
export interface LocalityView {
  readonly region: string;
  readonly zone?: string;
  readonly subZone?: string;
}

/** Names a gateway's Service. */
export interface GatewayRef {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** A way to a destination of another cluster: a gateway of that cluster, or a pod where networks are flat. */
export interface EndpointView {
  readonly address: string;
  readonly kind: AddressKind;
  /** The number to dial: the same for every port (gateways), or one for each by the Service's port number (pods). See `portToDial`. */
  readonly ports: number | Readonly<Record<number, number>>;
  /** Absent where nodes do not tell their region, or what is behind the address is in several. */
  readonly locality?: LocalityView;
  /** The cluster under `CLUSTER_LABEL`, and on a pod its own labels. */
  readonly labels: Readonly<Record<string, string>>;
  /** Absent on pods. */
  readonly gateway?: GatewayRef;
}

/** An address of a gateway. */
export interface GatewayEndpointView extends EndpointView {
  readonly ports: number;
  readonly gateway: GatewayRef;
}

/** Whether requests have one way to go, or others when it fails. */
export type Ways = 'one' | 'several';

/**
 * A destination as the proxies of another mesh reach it, but for where its endpoints are. One for each federated destination and consuming
 * mesh, as long as there is a way at all.
 */
export interface ReachView {
  readonly destination: DestinationFacts;
  readonly consumer: MeshFacts;
  readonly hostname: string;
  /** True where requests go to the pods themselves, so that their own labels tell subsets apart; else they go through gateways. */
  readonly direct: boolean;
  readonly ways: Ways;
  readonly routes: readonly RouteView[];
  readonly subsets: readonly Sourced<SubsetView>[];
  readonly connection: ConnectionView;
  readonly tcpKeepalive?: TcpKeepaliveView;
  readonly virtualMesh: PolicyRef;
}

/** Where the requests of a {@link ReachView} go. Apart from it, so that a pod or gateway that comes or goes re-renders no route. */
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
export interface PassageView {
  /** The name by which gateways know the group's pods, and nothing else. */
  readonly hostname: string;
  /** Namespaces of the gateways that pass requests on; each must see the name. */
  readonly gatewayNamespaces: readonly string[];
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
  readonly passage: string;
  /** For connections to other clusters. */
  readonly tcpKeepalive?: TcpKeepaliveView;
  /** Where this mesh has a group that callers of other clusters reach through its gateways. */
  readonly passed?: PassageView;
  /** Where `hostname` is the own name of the local group's Service: what policies say of connections to it. */
  readonly sameHostname?: { readonly connection: ConnectionView; readonly subsets: readonly Sourced<SubsetView>[] };
}

/** A gateway that lets requests of other clusters in. */
export interface GatewayView {
  readonly name: string;
  readonly namespace: string;
  readonly workloadSelector: Readonly<Record<string, string>>;
  /** The port its container listens on. */
  readonly containerPort: number;
  readonly endpoints: readonly GatewayEndpointView[];
}

/** A gateway that anyone may call. */
export type OpenGatewayView = Pick<GatewayView, 'name' | 'namespace' | 'workloadSelector'>;

/** A mesh in its VirtualMesh. One for each member. */
export interface MeshView {
  readonly mesh: MeshFacts;
  readonly virtualMesh: PolicyRef;
  readonly globalAccess: 'ENABLED' | 'DISABLED' | 'MESH_DEFAULT';
  readonly strictMtls: boolean;
  readonly trust: 'shared' | 'limited' | undefined;
  /** True where requests of other clusters are to go to pods directly. */
  readonly flatNetwork: boolean;
  /** For connections to other clusters; it is on their reach views too. */
  readonly tcpKeepalive?: TcpKeepaliveView;
  readonly eastWestGateways: readonly GatewayView[];
  /** Gateways for requests from outside and of other clusters that stay open where access is denied by default: no access policy allows callers there. */
  readonly openGateways: readonly OpenGatewayView[];
  /**
   * What the east-west gateways serve: `*.svc.<cluster>.<suffix>`, which fits names of destinations of this cluster and of no other, so that
   * no gateway passes on what is for a third cluster, and `*.vd.<suffix>` for virtual destinations. Empty where nothing of this mesh is reached through them.
   */
  readonly exportedHosts: readonly string[];
  readonly peers: readonly MeshFacts[];
  /**
   * Trust domains of peers, other than the mesh's own, whose workloads may call in. Named whether the mesh takes them for its own already
   * (`mesh.trustDomainAliases`) or not, so that what follows from them stays when it does.
   */
  readonly callerTrustDomains: readonly string[];
  /** True where its workloads call destinations of other clusters. */
  readonly importsAnything: boolean;
  /** Objects of the user's in its cluster that concern the whole mesh (`MeshPlugin.concernsMesh`). */
  readonly present: readonly PresentView[];
}

/** An object of the user's, as far as translation may look at it. */
export interface PresentView {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly spec: JsonObject;
}
