/** The contract between core and a mesh plugin: everything that a plugin author implements. */
import type { JsonObject, KubeObject, PolicyRef, Report } from '@meshrelay/api';
import type { CapabilityTable } from './capability.ts';
import type { Collection, DiscoveryGraph } from './graph/collection.ts';
import type { Pod } from './kubernetes/kubernetes.ts';
import type { ResourceKind } from './kubernetes/resource-kind.ts';
import type { NativeObject, NativeObjectRef } from './native-object.ts';
import type { ObjectConflicts } from './object-conflicts.ts';
import type { PatchPermission, PatchRequest } from './patches.ts';
import type {
  DestinationFacts,
  DestinationView,
  EndpointsView,
  FederatedDestinationView,
  LocalEndpointsView,
  MeshExtensionsView,
  MeshFacts,
  MeshView,
  MtlsMode,
  PresentView,
  VirtualDestinationView,
  WorkloadExtensionsView,
  WorkloadView,
} from './views/mod.ts';

/** A validator of the plugin's settings, from any library that implements Standard Schema v1 (zod, valibot, ...). */
export interface StandardSchema<Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(
      value: unknown,
    ):
      | { readonly value: Output; readonly issues?: undefined }
      | { readonly issues: ReadonlyArray<{ readonly message: string; readonly path?: readonly unknown[] | undefined }> }
      | Promise<unknown>;
  };
}

/** A control plane discovered in a cluster. */
export interface DiscoveredMesh {
  /** The name of the control plane's Deployment. */
  readonly name: string;
  readonly namespace: string;
  readonly trustDomain: string;
  readonly trustDomainAliases?: readonly string[];
  /** Root certificates with which workloads of the mesh verify peers: PEM, in any order. */
  readonly trustBundle?: string;
  readonly version?: string;
  readonly podLabels?: Readonly<Record<string, string>>;
  readonly serviceAccount?: string;
  readonly revision?: string;
  readonly capturesDns?: boolean;
  /** Facts that only the plugin itself reads, in views of this mesh. */
  readonly details?: JsonObject;
}

/** The controller at the top of the ownership chain of pods. */
export interface ControllerRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The template from which a controller creates its pods. */
export interface PodTemplate {
  readonly controller: ControllerRef;
  /**
   * As the controller would create it, before any injector changes it; under the controller's name and without a
   * status.
   */
  readonly pod: Pod;
}

/** Marks a pod that runs a mesh's data plane. */
export interface DiscoveredMember {
  /** Name and namespace of the control plane it belongs to. */
  readonly mesh: { readonly name: string; readonly namespace: string };
  /**
   * Names of labels that the mesh itself added to the pod. They do not describe the workload, so they select no subset.
   */
  readonly ownLabels?: readonly string[];
}

/** How a plugin defines the discovery of its mesh, as incremental collections over one cluster's objects. */
export interface DiscoveryBuilder {
  readonly cluster: string;
  /** For the plugin's own intermediate collections. Names are prefixed with the plugin's. */
  readonly graph: DiscoveryGraph;
  /**
   * The cluster's objects of a kind, under `key(namespace, name)`. The kind must be in `watches` (or one that core
   * watches).
   */
  objects<O extends KubeObject = KubeObject>(kind: ResourceKind): Collection<O>;
  /** The discovered control planes, under `key(namespace, name)` of their Deployments. */
  meshes(found: Collection<DiscoveredMesh>): void;
  /** The pods that run the data plane, under the pods' own keys. */
  members(found: Collection<DiscoveredMember>): void;
  /** The pod templates of Deployments, StatefulSets and DaemonSets, under keys of their own. */
  readonly templates: Collection<PodTemplate>;
  /**
   * The templates whose pods would run the data plane, under the templates' own keys. They keep a workload in its mesh
   * while it has no pod; if it has pods, the pods decide.
   */
  templateMembers(found: Collection<DiscoveredMember>): void;
  /**
   * Facts about Services, such as their annotations, under the Services' own keys; only for Services that have any.
   * Only the plugin itself reads them, in views of destinations of its meshes (`DestinationFacts.details`).
   */
  serviceDetails(found: Collection<JsonObject>): void;
}

/** How a control plane is recognized by one object. */
export interface ControlPlaneRule {
  /** The kind of that object: its Deployment when omitted. A kind that core does not watch must be in `watches`. */
  readonly kind?: ResourceKind;
  /** Whether an object belongs to a control plane. Only one object of each may match. */
  match(object: KubeObject): boolean;
  /** The mesh of a matching object, with its name and namespace. */
  mesh(object: KubeObject): DiscoveredMesh;
}

/** How the pods of a mesh are recognized. */
export interface MemberRule {
  /** Whether a pod, or a pod of a template, runs the data plane. */
  match(pod: Pod): boolean;
  /**
   * The mesh of a matching pod. A pod whose mesh is not in the cluster does not count. Omitted, or undefined: the first
   * mesh of the plugin in the cluster, by namespace and name.
   */
  meshOf?(pod: Pod): DiscoveredMember['mesh'] | undefined;
  /** Names of labels that the mesh adds to pods: {@link DiscoveredMember.ownLabels}. */
  readonly ownLabels?: readonly string[];
}

/** One contribution to an object that several views contribute to. */
export interface Part {
  /** Orders and distinguishes the parts; unique for each contributing view. */
  readonly slot: string;
  readonly value: unknown;
}

/** Receives the output of a translation. */
export interface Output {
  /**
   * Writes an object to a cluster. `sourcePolicies` are the policies it is generated for. Do not change either
   * afterwards.
   */
  emit(cluster: string, object: NativeObject, sourcePolicies: readonly PolicyRef[]): void;
  /** Adds a part to an object that `assemble` builds. */
  contribute(to: NativeObjectRef, part: Part, sourcePolicies: readonly PolicyRef[]): void;
  /**
   * Requests a value for a field of a user-owned object. Request it whenever it is needed, whatever the current value:
   * the agent compares, and records the previous value. If Settings does not consent, the policies get a report.
   */
  patch(request: PatchRequest, sourcePolicies: readonly PolicyRef[]): void;
  /** Reports to a policy. */
  report(policy: PolicyRef, report: Report): void;
}

/** A gateway Service that a mesh uses by default if a VirtualMesh selects none. */
export interface GatewayDefaults {
  /** Labels of the gateway's Service. */
  readonly labels: Readonly<Record<string, string>>;
  /** The name of its port for requests from other clusters. */
  readonly portName: string;
}

/** Callers whose connections proxies close before any policy applies, because of their trust domain. */
export interface CallerTrust {
  /** Whether the proxies of a mesh close connections of callers from another trust domain. */
  refuses(mesh: MeshFacts, trustDomain: string): boolean;
  /** The field of Settings that consents to the patch by which proxies accept these callers. */
  readonly consent: string;
}

/** User-owned objects that decide which connections pods accept. */
export interface InboundRules {
  /** Whether an object is one of these; called for objects of kinds that the plugin writes or reads. */
  isOne(object: KubeObject): boolean;
  /** The namespaces whose objects apply to the destination's pods. */
  namespacesFor(destination: DestinationFacts): readonly string[];
  /**
   * Reports on Settings if pods of a mesh reject callers that connect with the default mode of Settings. Omitted: none.
   * @param present all such objects of the cluster
   * @param withoutProxy destinations that callers connect to with that mode, some of whose pods run no proxy, by
   * namespace and name
   */
  readonly reportsByDefault?: (
    mesh: MeshFacts,
    callers: MtlsMode,
    present: readonly PresentView[],
    withoutProxy: readonly DestinationFacts[],
  ) => readonly Report[];
}

/** A mesh: how to discover it and how to generate its objects. */
export interface MeshPlugin<Settings = unknown> {
  /** The mesh type, such as `istio`: the value of `Mesh.spec.type`. */
  readonly name: string;
  readonly contract: 1;
  /**
   * Kinds that discovery reads in addition to those that core watches for every mesh. The agent's informers and RBAC
   * follow from them.
   */
  readonly watches: readonly ResourceKind[];
  /** Kinds that translation emits. The agent's allowed kinds and RBAC follow from them. */
  readonly writes: readonly ResourceKind[];
  /**
   * Kinds of user-owned objects that translation reads in addition to those it writes: agents report them to the
   * server.
   */
  readonly reads?: readonly ResourceKind[];
  /** Which callers from other trust domains proxies reject. Omitted: none. */
  readonly callerTrust?: CallerTrust;
  /**
   * Which user-owned objects decide what connections pods accept: `InboundView.present` contains them. Omitted: none.
   */
  readonly inboundRules?: InboundRules;
  /** Whether a user-owned object affects the whole mesh: `MeshView.present` contains such objects. Omitted: none. */
  concernsMesh?(object: KubeObject): boolean;
  /**
   * Fields of user-owned objects that translation may request. Their kinds are in `watches`, so that edits are
   * observed.
   */
  readonly patches?: readonly PatchPermission[];
  readonly capabilities: CapabilityTable;
  readonly settings?: StandardSchema<Settings>;
  readonly gatewayDefaults?: GatewayDefaults;
  /**
   * True if proxies have no other control plane. A mesh in a virtual mesh then has views of all its destinations, of
   * their endpoints, and of each of its workloads, with or without policies.
   */
  readonly configuresProxies?: boolean;
  /**
   * What proxies do with requests for a Service without pods that a TrafficPolicy shifts to Services of the mesh. They
   * follow its routes, or cannot, for the given reason. Such a Service has a view that contains only routes. Omitted:
   * they cannot, and the report gives no reason.
   */
  readonly servicesWithoutPods?: 'routed' | { readonly unsupported: string };
  /** Discovery for most meshes, with `member`: core derives all collections. */
  readonly controlPlane?: ControlPlaneRule;
  /** With `controlPlane`. */
  readonly member?: MemberRule;
  /**
   * Defines incremental collections over the objects of one cluster. Called once for each cluster. Omitted with
   * `controlPlane` and `member`; with them, it replaces or adds what it defines.
   */
  discover?(define: DiscoveryBuilder, settings: Settings): void;
  translateDestination?(view: DestinationView, out: Output, settings: Settings): void;
  translateFederatedDestination?(view: FederatedDestinationView, out: Output, settings: Settings): void;
  translateEndpoints?(view: EndpointsView, out: Output, settings: Settings): void;
  translateVirtualDestination?(view: VirtualDestinationView, out: Output, settings: Settings): void;
  translateMesh?(view: MeshView, out: Output, settings: Settings): void;
  /** Only called if the plugin sets `configuresProxies`. */
  translateLocalEndpoints?(view: LocalEndpointsView, out: Output, settings: Settings): void;
  /** Only called if the plugin sets `configuresProxies`. */
  translateWorkload?(view: WorkloadView, out: Output, settings: Settings): void;
  /** For any mesh, in a virtual mesh or not: what policies add to the proxies of a workload, such as access logs. */
  translateWorkloadExtensions?(view: WorkloadExtensionsView, out: Output, settings: Settings): void;
  /** What those extensions require of the mesh as a whole. */
  translateMeshExtensions?(view: MeshExtensionsView, out: Output, settings: Settings): void;
  /** How user-owned and generated objects conflict when their names differ. The policies get reports. */
  readonly objectConflicts?: ObjectConflicts;
  /** Builds an object from its parts, ordered by slot. It must have the requested kind, namespace and name. */
  assemble?(object: NativeObjectRef, parts: readonly Part[], settings: Settings): NativeObject;
}

/** Assigns the type to a plugin module's default export. */
export function defineMeshPlugin<Settings>(plugin: MeshPlugin<Settings>): MeshPlugin<Settings> {
  return plugin;
}
