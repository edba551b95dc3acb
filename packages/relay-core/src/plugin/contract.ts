/** The contract between core and a mesh plugin. Everything a plugin author implements is here. */
import type { JsonObject, KubeObject, PolicyRef, Report } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import type { Pod } from '../input/kubernetes.ts';
import type { ResourceKind } from '../input/resource-kind.ts';
import type { CapabilityTable } from './capability.ts';
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

/** A validator of the plugin's settings, as any library that implements Standard Schema v1 gives (zod, valibot, ...). */
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

/** A control plane found in a cluster. */
export interface DiscoveredMesh {
  /** Of the control plane's Deployment. */
  readonly name: string;
  readonly namespace: string;
  readonly trustDomain: string;
  readonly trustDomainAliases?: readonly string[];
  /** Root certificates that workloads of the mesh verify peers by: PEM, in any order. */
  readonly trustBundle?: string;
  readonly version?: string;
  readonly podLabels?: Readonly<Record<string, string>>;
  readonly serviceAccount?: string;
  readonly revision?: string;
  readonly capturesDns?: boolean;
  /** Facts that only the plugin itself reads again, in views of this mesh. */
  readonly details?: JsonObject;
}

/** The controller at the top of the ownership chain of pods. */
export interface ControllerRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** What a controller makes its pods from. */
export interface PodTemplate {
  readonly controller: ControllerRef;
  /** As the controller would make it, before any injector has seen it; under the controller's name and without a status. */
  readonly pod: Pod;
}

/** Says that a pod carries a mesh's data plane. */
export interface DiscoveredMember {
  /** Name and namespace of the control plane it belongs to. */
  readonly mesh: { readonly name: string; readonly namespace: string };
  /** Names of labels that the mesh itself put on the pod. They say nothing of the workload, so no subset is told by them. */
  readonly ownLabels?: readonly string[];
}

/** How a plugin describes what makes its mesh, as incremental collections over one cluster's objects. */
export interface DiscoveryBuilder {
  readonly cluster: string;
  /** For the plugin's own intermediate collections. Names are prefixed with the plugin's. */
  readonly graph: Pick<Graph, 'derive' | 'deriveMany' | 'index' | 'group' | 'join' | 'match'>;
  /** The cluster's objects of a kind, under `key(namespace, name)`. The kind must be in `watches` (or one that core watches). */
  objects<O extends KubeObject = KubeObject>(kind: ResourceKind): Collection<O>;
  /** The control planes found, under `key(namespace, name)` of their Deployments. */
  meshes(found: Collection<DiscoveredMesh>): void;
  /** The pods that carry the data plane, under the pods' own keys. */
  members(found: Collection<DiscoveredMember>): void;
  /** The pod templates of Deployments, StatefulSets and DaemonSets, under keys of their own. */
  readonly templates: Collection<PodTemplate>;
  /**
   * The templates whose pods would carry the data plane, under the templates' own keys: what keeps a workload in its mesh while it has no pod. For
   * one that has pods, they decide.
   */
  templateMembers(found: Collection<DiscoveredMember>): void;
  /**
   * Facts about Services, such as their annotations, that only the plugin itself reads again, in views of destinations of its meshes
   * (`DestinationFacts.details`); under the Services' own keys, for those of which there is something to tell.
   */
  serviceDetails(found: Collection<JsonObject>): void;
}

/** An object of a mesh, complete but for what core adds (owner labels, provenance). */
export interface NativeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Names an object that several views contribute to. */
export interface NativeObjectRef {
  readonly cluster: string;
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly name: string;
}

/** One contribution to such an object. */
export interface Part {
  /** Orders the parts and tells them apart; unique for each contributing view. */
  readonly slot: string;
  readonly value: unknown;
}

/** Where a translation writes. */
export interface Output {
  /** Writes an object to a cluster. `because` are the policies it is there for. Neither may change afterwards. */
  emit(cluster: string, object: NativeObject, sourcePolicies: readonly PolicyRef[]): void;
  /** Adds a part to an object that `assemble` builds. */
  contribute(to: NativeObjectRef, part: Part, sourcePolicies: readonly PolicyRef[]): void;
  /**
   * Asks for a field of one of the user's own objects. It is asked for whenever it is wanted, whatever stands there: whether there is anything
   * to change, and what was there before, is the agent's to know. Where Settings does not consent, the policies are told.
   */
  patch(request: PatchRequest, sourcePolicies: readonly PolicyRef[]): void;
  /** Tells the owner of a policy something about it. */
  report(policy: PolicyRef, report: Report): void;
}

/** A gateway service that a mesh takes by default, when a VirtualMesh selects none. */
export interface GatewayDefaults {
  /** Labels of the gateway's Service. */
  readonly labels: Readonly<Record<string, string>>;
  /** The name of its port for requests of other clusters. */
  readonly portName: string;
}

/** Callers whose connections proxies end before any policy is asked, because of their trust domain. */
export interface CallerTrust {
  /** Whether the proxies of a mesh end those of callers of another trust domain. */
  refuses(mesh: MeshFacts, trustDomain: string): boolean;
  /** The field of Settings that allows the patch by which they no longer do. */
  readonly consent: string;
}

/** Users' objects that decide which connections pods take. */
export interface InboundRules {
  /** Whether it is such an object; of kinds that are written or read. */
  isOne(object: KubeObject): boolean;
  /** The namespaces whose objects hold for the destination's pods. */
  namespacesFor(destination: DestinationFacts): readonly string[];
  /**
   * Reports on Settings, where pods of a mesh reject callers that connect as Settings says by default. Omitted: none.
   * @param present all such objects of the cluster
   */
  readonly reportsByDefault?: (
    mesh: MeshFacts,
    callers: MtlsMode,
    present: readonly PresentView[],
  ) => readonly Report[];
}

/** A mesh: how to find it and how to write for it. */
export interface MeshPlugin<Settings = unknown> {
  /** The mesh type, such as `istio`: what `Mesh.spec.type` says. */
  readonly name: string;
  readonly contract: 1;
  /** What discovery reads beyond what core watches for every mesh: the agent's informers and RBAC follow. */
  readonly watches: readonly ResourceKind[];
  /** What translation emits: the agent's apply allow-list and RBAC follow. */
  readonly writes: readonly ResourceKind[];
  /** Kinds of users' objects that translation looks at beside those it writes: agents tell the server of them. */
  readonly reads?: readonly ResourceKind[];
  /** Which callers of other trust domains are refused. Omitted: none. */
  readonly callerTrust?: CallerTrust;
  /** Which users' objects decide what connections pods take: `InboundView.present` has them. Omitted: none. */
  readonly inboundRules?: InboundRules;
  /** Whether a user's object is of concern to the whole mesh: `MeshView.present` has those of which this is true. Omitted: none. */
  concernsMesh?(object: KubeObject): boolean;
  /** Fields of the user's own objects that translation may ask for. Their kinds are in `watches`, so that edits are seen. */
  readonly patches?: readonly PatchPermission[];
  readonly capabilities: CapabilityTable;
  readonly settings?: StandardSchema<Settings>;
  readonly gatewayDefaults?: GatewayDefaults;
  /**
   * True where proxies know nothing but what translation tells them. A mesh in a virtual mesh then has a view of each of its destinations, whether
   * policies say anything of it or not, of their endpoints, and of each of its workloads.
   */
  readonly configuresProxies?: boolean;
  /**
   * What proxies do with requests for a Service without pods that a TrafficPolicy shifts to Services of the mesh: they follow its routes, or the
   * reason why they cannot. Such a Service has a view with routes and nothing else. Omitted: they cannot, and the report gives no reason.
   */
  readonly servicesWithoutPods?: 'routed' | { readonly unsupported: string };
  /** Defines incremental collections over the objects of one cluster. Called once for each cluster. */
  discover(define: DiscoveryBuilder, settings: Settings): void;
  translateDestination?(view: DestinationView, out: Output, settings: Settings): void;
  translateFederatedDestination?(view: FederatedDestinationView, out: Output, settings: Settings): void;
  translateEndpoints?(view: EndpointsView, out: Output, settings: Settings): void;
  translateVirtualDestination?(view: VirtualDestinationView, out: Output, settings: Settings): void;
  translateMesh?(view: MeshView, out: Output, settings: Settings): void;
  /** Only where it describes all of a mesh. */
  translateLocalEndpoints?(view: LocalEndpointsView, out: Output, settings: Settings): void;
  /** Only where it describes all of a mesh. */
  translateWorkload?(view: WorkloadView, out: Output, settings: Settings): void;
  /** Of any mesh, in a virtual mesh or not: what policies add to the proxies of a workload, such as access logs. */
  translateWorkloadExtensions?(view: WorkloadExtensionsView, out: Output, settings: Settings): void;
  /** What those ask of the mesh as a whole. */
  translateMeshExtensions?(view: MeshExtensionsView, out: Output, settings: Settings): void;
  /** How users' objects and ours get in each other's way, beyond having one name. The policies are told. */
  readonly objectConflicts?: ObjectConflicts;
  /** Builds an object from its parts, ordered by slot. Its kind, namespace and name are those it is asked for. */
  assemble?(object: NativeObjectRef, parts: readonly Part[], settings: Settings): NativeObject;
}

/** Gives a plugin module's default export its type. */
export function defineMeshPlugin<Settings>(plugin: MeshPlugin<Settings>): MeshPlugin<Settings> {
  return plugin;
}
