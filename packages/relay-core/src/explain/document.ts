/** The result of `explain`, as plain data: the same offline, from the server's HTTP API, as text, JSON and YAML. */
import type { JsonValue, PolicyRef, PolicyState, Report, ResourceRef } from '@meshrelay/api';
import type {
  AccessRuleView,
  FailoverView,
  OutlierDetectionView,
  PatchOperation,
  PortView,
  RouteMatchView,
  SubsetView,
} from '@meshrelay/plugin';
import type { TimelessCondition } from '../status/mod.ts';

export type ExplainDocument = OutputExplanation | DestinationExplanation | PolicyExplanation;

/** An effective value, with its source policies. */
export interface EffectiveField {
  /** The field of the policy, such as `trafficShift`; `route` for a whole route, `access` for an access rule. */
  readonly field: string;
  readonly value: unknown;
  /** In order of precedence; more than one if equal values merged. */
  readonly from: readonly PolicyRef[];
  /** The requests it applies to, if it is part of a route. */
  readonly match?: RouteMatchView;
  readonly port?: number;
}

/** Something that a policy requested and that is not applied, or only in part. */
export interface NotApplied {
  readonly policy: PolicyRef;
  readonly state: PolicyState;
  readonly report: Report;
}

export interface MeshLocation {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
}

/** An object of a cluster. */
export interface OutputLocation {
  readonly cluster: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The fields of an object that come from one part of a view, found by translating again without that part. */
export interface FieldOrigin extends EffectiveField {
  /**
   * Such as `spec.http[0].retries`; the empty path is the whole object, or the view's whole share of a shared object.
   */
  readonly paths: readonly string[];
}

/** One view that an object is translated from. */
export interface OutputSource {
  /**
   * `destinations`: as its own mesh sees it. `federated-destinations`, `endpoints`: as another mesh sees it. `meshes`:
   * the mesh itself.
   */
  readonly view: string;
  readonly target: ResourceRef;
  readonly mesh: MeshLocation;
  readonly fields: readonly FieldOrigin[];
  /** The number of parts that were not tried, if there are very many. */
  readonly untried?: number;
  /** True if several views share the object and this is the part of one. */
  readonly shared: boolean;
}

/** Where an object of a cluster comes from. */
export interface OutputExplanation {
  readonly about: 'output';
  readonly object: OutputLocation;
  readonly plugin: string;
  /** False if it is not applied at all. */
  readonly written: boolean;
  readonly sourcePolicies: readonly PolicyRef[];
  readonly sources: readonly OutputSource[];
  readonly notApplied: readonly NotApplied[];
  /** For an ObjectPatch: the requests, and whether they are sent. */
  readonly patches?: readonly ExplainedPatch[];
  /** The error of the cluster's agent or API server, if it rejected the object. */
  readonly rejected?: string;
  /** Why nothing is currently sent to its cluster, so that the object there may differ. */
  readonly notSent?: string;
  readonly content?: unknown;
}

/** One route, in the order in which proxies try them. */
export interface RouteExplanation {
  readonly match: RouteMatchView;
  readonly port: PortView;
  readonly actions: readonly EffectiveField[];
  /** Every policy that contributes to it. */
  readonly from: readonly PolicyRef[];
}

/** A destination as the proxies of one mesh see it. */
export interface DestinationFromMesh {
  /** Absent: the destination's own mesh. */
  readonly consumer?: MeshLocation;
  readonly routes: readonly RouteExplanation[];
  readonly connection: readonly EffectiveField[];
  readonly access: readonly AccessRuleView[];
  readonly subsets: ReadonlyArray<{ readonly value: SubsetView; readonly from: readonly PolicyRef[] }>;
}

/** A field of a user-owned object for which policies request another value. */
export interface ExplainedPatch {
  readonly object: OutputLocation;
  readonly fieldPath: string;
  /** The desired value, or the members that it must include. */
  readonly operation: PatchOperation;
  /** The value that discovery observed; null: no value; absent: not known. */
  readonly current?: JsonValue;
  /** What does not take effect without it. */
  readonly without: string;
  /** The field of Settings that allows it. */
  readonly consent: string;
  readonly consented: boolean;
  /** False without consent, or if another value wins. */
  readonly sent: boolean;
  readonly from: readonly PolicyRef[];
}

/** A virtual destination, in general and in each mesh that can call it. */
export interface VirtualDestinationExplanation {
  readonly hostname: string;
  readonly port: number;
  /** The virtual IP; absent until the ledger has one. */
  readonly address?: string;
  /** Its backends, highest priority first. */
  readonly members: ReadonlyArray<{
    readonly destination: ResourceRef;
    readonly priority: number;
    /** The port of its Service that takes the requests. */
    readonly port: number;
  }>;
  /** The meshes that can reach one of its backends. */
  readonly visibleTo: readonly VirtualDestinationFromMesh[];
}

/** A virtual destination as the proxies of one mesh see it. */
export interface VirtualDestinationFromMesh {
  readonly consumer: MeshLocation;
  /** The virtual IP, of a family that the mesh's pods have. */
  readonly address: string;
  readonly failover: FailoverView;
  readonly outlierDetection: OutlierDetectionView;
  /** The currently reachable groups, highest priority first. */
  readonly groups: ReadonlyArray<{
    readonly destination: ResourceRef;
    readonly priority: number;
    /** True if requests go to pods of the mesh's own cluster, which the mesh discovers itself. */
    readonly local: boolean;
    /** Addresses of gateways, or of pods in other clusters. */
    readonly addresses: readonly string[];
  }>;
}

/** A virtual destination with a destination as its backend. */
export interface BackendOf {
  readonly policy: PolicyRef;
  readonly hostname: string;
  /** 0 is the highest. */
  readonly priority: number;
  /** The meshes whose workloads can call it under that name. */
  readonly callers: readonly MeshLocation[];
}

/** A mesh that has the name of a destination of another cluster. */
export interface NameHolder extends MeshLocation {
  /** The virtual IP, of a family that its pods have. */
  readonly address: string;
}

/** The configuration of a destination. */
export interface DestinationExplanation {
  readonly about: 'destination';
  readonly destination: ResourceRef;
  readonly hostname: string;
  readonly ports: readonly PortView[];
  readonly serviceAccounts: readonly string[];
  /** Absent: its pods run no mesh's proxies, so no policy affects it. */
  readonly mesh?: MeshLocation;
  /** The policies that select it, in order of precedence. */
  readonly policies: readonly PolicyOnTarget[];
  readonly visibleTo: readonly DestinationFromMesh[];
  readonly federation?: {
    readonly hostname: string;
    readonly virtualMesh: PolicyRef;
    /** The virtual IP; absent until the ledger has one. */
    readonly address?: string;
    /** The meshes that have the name and can reach the destination. */
    readonly consumers: readonly NameHolder[];
    /**
     * The meshes that would have the name, but whose generated object is not applied; the explanation lists the reason.
     * Absent: none.
     */
    readonly notFederatedTo?: readonly MeshLocation[];
    /** The meshes that should have the name, and cannot reach the destination or do not support such a name. */
    readonly unavailableTo: readonly MeshLocation[];
  };
  /** In order of precedence. */
  readonly virtualDestinations: readonly BackendOf[];
  /** Patches of user-owned objects that its views request. */
  readonly patches: readonly ExplainedPatch[];
  readonly notApplied: readonly NotApplied[];
  readonly outputs: readonly ExplainedOutput[];
}

export interface PolicyOnTarget {
  readonly policy: PolicyRef;
  readonly state: PolicyState;
  /** The acceptance sequence: lower numbers have precedence. Absent: not accepted yet. */
  readonly sequence?: number;
}

export interface ExplainedOutput extends OutputLocation {
  readonly written: boolean;
  /** Why nothing is currently sent to its cluster, so that the object there may differ. */
  readonly notSent?: string;
}

/** The status of a policy, target by target. */
export interface PolicyExplanation {
  readonly about: 'policy';
  readonly policy: PolicyRef;
  readonly state: PolicyState;
  readonly sequence?: number;
  readonly conditions: readonly TimelessCondition[];
  /** About the policy as a whole. */
  readonly reports: readonly Report[];
  /** Missing references of the policy, if any. */
  readonly missing?: readonly MissingReference[];
  /** The running callers that it selects; absent if it selects no callers. */
  readonly callers?: readonly ExplainedCallers[];
  readonly targetCount: number;
  /** The first targets; those with reports come first. */
  readonly targets: readonly ExplainedTarget[];
  /** Present for an effective virtual destination. */
  readonly virtualDestination?: VirtualDestinationExplanation;
  /** Patches of user-owned objects that it requests. */
  readonly patches: readonly ExplainedPatch[];
  readonly outputs: readonly ExplainedOutput[];
}

/** An object that a policy names and that does not exist. */
export interface MissingReference {
  /** Such as `spec.policy.mirror.kubeService`. */
  readonly field: string;
  readonly ref: ResourceRef;
  /** Suggestions: a similar name in that place, or the same name in another. */
  readonly likely: readonly ResourceRef[];
}

/** The running callers that a source selector, or one ServiceAccount of it, selects. */
export interface ExplainedCallers {
  /** Such as `spec.sourceSelector[0]`. */
  readonly field: string;
  /** Workloads in meshes. If it is 0, the selector may still match callers that appear later. */
  readonly count: number;
  /** The first workloads. */
  readonly workloads: readonly ResourceRef[];
  /** Workloads without a mesh's proxies: no mesh can identify their requests. */
  readonly outsideMeshes: number;
  /** If no workload runs under a ServiceAccount: the most similar account there under which some workload runs. */
  readonly likely?: string;
}

export interface ExplainedTarget {
  readonly target: ResourceRef;
  readonly state: PolicyState;
  readonly effects: readonly EffectiveField[];
  readonly reports: readonly Report[];
}
