/** What `explain` answers, as plain data: the same offline, from the server's HTTP API, as text, JSON and YAML. */
import type { JsonValue, PolicyRef, PolicyState, Report, ResourceRef } from '@meshrelay/api';
import type { PatchOperation } from '../plugin/patches.ts';
import type {
  AccessRuleView,
  FailoverView,
  OutlierDetectionView,
  PortView,
  RouteMatchView,
  SubsetView,
} from '../plugin/views/mod.ts';
import type { TimelessCondition } from '../status/policy-status.ts';

export type ExplainDocument = OutputExplanation | DestinationExplanation | PolicyExplanation;

/** A value in force, and the policies it is from. */
export interface EffectiveField {
  /** The field of the policy, such as `trafficShift`; `route` for a whole route, `access` for an access rule. */
  readonly field: string;
  readonly value: unknown;
  /** In order of precedence; more than one where equal values merged. */
  readonly from: readonly PolicyRef[];
  /** The requests it is for, where it is part of a route. */
  readonly match?: RouteMatchView;
  readonly port?: number;
}

/** Something a policy asked for and did not get, or not wholly. */
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

/** Which fields of an object are from which part of a view: found by translating again without that part. */
export interface FieldOrigin extends EffectiveField {
  /** Such as `spec.http[0].retries`; the empty path is the whole object, or all of the view's share in one that is shared. */
  readonly paths: readonly string[];
}

/** One view that an object is made from. */
export interface OutputSource {
  /** `destinations`: as its own mesh sees it. `reach`, `endpoints`: as another mesh does. `meshes`: the mesh itself. */
  readonly view: string;
  readonly target: ResourceRef;
  readonly mesh: MeshLocation;
  readonly fields: readonly FieldOrigin[];
  /** Parts that were not tried, since there are very many. */
  readonly untried?: number;
  /** True where several views share the object and this is one's part in it. */
  readonly shared: boolean;
}

/** Where an object of a cluster comes from. */
export interface OutputExplanation {
  readonly about: 'output';
  readonly object: OutputLocation;
  readonly plugin: string;
  /** False where it is withheld altogether. */
  readonly written: boolean;
  readonly because: readonly PolicyRef[];
  readonly sources: readonly OutputSource[];
  readonly withheld: readonly NotApplied[];
  /** Where it is an ObjectPatch: who wants what, and whether that is sent. */
  readonly patches?: readonly ExplainedPatch[];
  /** What the cluster's agent or API server said where it refused the object. */
  readonly refused?: string;
  /** Why nothing is sent to its cluster now, so that the object may be another there. */
  readonly notSent?: string;
  readonly content?: unknown;
}

/** One route, of those in the order in which requests try them. */
export interface RouteExplanation {
  readonly match: RouteMatchView;
  readonly port: PortView;
  readonly actions: readonly EffectiveField[];
  /** Every policy with a part in it. */
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

/** A field of a user's object that policies want otherwise. */
export interface ExplainedPatch {
  readonly object: OutputLocation;
  readonly fieldPath: string;
  /** What it is to be, or to have among others. */
  readonly wish: PatchOperation;
  /** What discovery saw there; null: nothing; absent: not known. */
  readonly current?: JsonValue;
  /** What is not in force without it. */
  readonly without: string;
  /** The field of Settings that allows it. */
  readonly consent: string;
  readonly consented: boolean;
  /** False without consent, and where another value has the field. */
  readonly sent: boolean;
  readonly from: readonly PolicyRef[];
}

/** A virtual destination by itself, and in each mesh that can call it. */
export interface VirtualDestinationExplanation {
  readonly hostname: string;
  readonly port: number;
  /** The virtual IP; absent until the ledger has one. */
  readonly address?: string;
  /** What stands behind it, best first. */
  readonly members: ReadonlyArray<{
    readonly destination: ResourceRef;
    readonly priority: number;
    /** The port of its Service that takes the requests. */
    readonly port: number;
  }>;
  /** The meshes that have a way to something behind it. */
  readonly seenBy: readonly SeenVirtualDestination[];
}

/** A virtual destination as the proxies of one mesh have it. */
export interface SeenVirtualDestination {
  readonly consumer: MeshLocation;
  /** The virtual IP, of a family that the mesh's pods have. */
  readonly address: string;
  readonly failover: FailoverView;
  readonly outlierDetection: OutlierDetectionView;
  /** What can be reached now, best first. */
  readonly groups: ReadonlyArray<{
    readonly destination: ResourceRef;
    readonly priority: number;
    /** True where requests go to pods of the mesh's own cluster, which it knows itself. */
    readonly local: boolean;
    /** Of gateways or pods elsewhere. */
    readonly addresses: readonly string[];
  }>;
}

/** A virtual destination that a destination stands behind. */
export interface BackendOf {
  readonly policy: PolicyRef;
  readonly hostname: string;
  /** 0 is the best. */
  readonly priority: number;
  /** The meshes whose workloads can call it by that name. */
  readonly callers: readonly MeshLocation[];
}

/** A mesh that has the name of a destination of another cluster. */
export interface NameHolder extends MeshLocation {
  /** The virtual IP, of a family that its pods have. */
  readonly address: string;
}

/** What applies to a destination. */
export interface DestinationExplanation {
  readonly about: 'destination';
  readonly destination: ResourceRef;
  readonly hostname: string;
  readonly ports: readonly PortView[];
  readonly serviceAccounts: readonly string[];
  /** Absent: no mesh's proxies run with its pods, so no policy acts on it. */
  readonly mesh?: MeshLocation;
  /** Those that select it, in order of precedence. */
  readonly policies: readonly PolicyOnTarget[];
  readonly seenBy: readonly DestinationFromMesh[];
  readonly federation?: {
    readonly hostname: string;
    readonly virtualMesh: PolicyRef;
    /** The virtual IP; absent until the ledger has one. */
    readonly address?: string;
    /** The meshes that have the name and a way to the destination. */
    readonly consumers: readonly NameHolder[];
    /** The meshes that would, were our object there not withheld: the explanation's `withheld` says why. Absent: none. */
    readonly notFederatedTo?: readonly MeshLocation[];
    /** The meshes that are to know it and have no way to it, or cannot have such a name. */
    readonly beyond: readonly MeshLocation[];
  };
  /** In order of precedence. */
  readonly virtualDestinations: readonly BackendOf[];
  /** What its views want of users' objects. */
  readonly patches: readonly ExplainedPatch[];
  readonly withheld: readonly NotApplied[];
  readonly outputs: readonly ExplainedOutput[];
}

export interface PolicyOnTarget {
  readonly policy: PolicyRef;
  readonly state: PolicyState;
  /** When it was accepted, counted in acceptances: lower goes first. Absent: not yet. */
  readonly sequence?: number;
}

export interface ExplainedOutput extends OutputLocation {
  readonly written: boolean;
  /** Why nothing is sent to its cluster now, so that the object may be another there. */
  readonly notSent?: string;
}

/** What became of a policy, target by target. */
export interface PolicyExplanation {
  readonly about: 'policy';
  readonly policy: PolicyRef;
  readonly state: PolicyState;
  readonly sequence?: number;
  readonly conditions: readonly TimelessCondition[];
  /** About the policy as a whole. */
  readonly reports: readonly Report[];
  /** What it names and nobody has, if anything. */
  readonly missing?: readonly MissingReference[];
  /** Who runs of the callers that it means; absent where it says nothing of who calls. */
  readonly callers?: readonly ExplainedCallers[];
  readonly targetCount: number;
  /** The first of them, those with something to tell before the others. */
  readonly targets: readonly ExplainedTarget[];
  /** Where it is a virtual destination in force. */
  readonly virtualDestination?: VirtualDestinationExplanation;
  /** What it wants of users' objects. */
  readonly patches: readonly ExplainedPatch[];
  readonly outputs: readonly ExplainedOutput[];
}

/** Something that a policy names and nobody has. */
export interface MissingReference {
  /** Such as `spec.policy.mirror.kubeService`. */
  readonly field: string;
  readonly ref: ResourceRef;
  /** What may have been meant: of a name like it in that place, or of that name elsewhere. */
  readonly likely: readonly ResourceRef[];
}

/** Who runs of those that a source selector, or one ServiceAccount of it, means. */
export interface ExplainedCallers {
  /** Such as `spec.sourceSelector[0]`. */
  readonly field: string;
  /** Workloads in meshes. Where it is 0, what the selector says holds for whoever comes. */
  readonly count: number;
  /** The first of them. */
  readonly workloads: readonly ResourceRef[];
  /** Workloads that no mesh's proxies run with: what they send, no mesh can tell. */
  readonly outsideMeshes: number;
  /** Where nobody runs as a ServiceAccount: the name most like it that somebody runs as there. */
  readonly likely?: string;
}

export interface ExplainedTarget {
  readonly target: ResourceRef;
  readonly state: PolicyState;
  readonly gives: readonly EffectiveField[];
  readonly reports: readonly Report[];
}
