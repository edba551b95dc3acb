/** What `plan` answers, as plain data: what would be written where, field by field, and because of which policies. */
import type { PolicyRef, PolicyState, ResourceRef } from '@meshrelay/api';
import type { OutputLocation } from '../explain/document.ts';

export type ChangeKind = 'created' | 'changed' | 'deleted';

/** How far the change reaches. */
export interface BlastRadius {
  /** Clusters in which something would be written or deleted. */
  readonly clusters: number;
  /** Destinations whose objects would change anywhere. */
  readonly destinations: number;
  /** Objects. */
  readonly created: number;
  /** Objects. */
  readonly changed: number;
  /** Objects. */
  readonly deleted: number;
}

/** One value of an object that would be another. */
export interface FieldChange {
  /** Such as `spec.http[0].timeout`; positions are those after the change, of what goes those before it. */
  readonly path: string;
  /** Absent: the field comes. */
  readonly before?: unknown;
  /** Absent: the field goes. */
  readonly after?: unknown;
}

/** One object of one cluster that would be written or deleted. */
export interface ObjectChange extends OutputLocation {
  readonly change: ChangeKind;
  /** Every policy it is or was there for. */
  readonly because: readonly PolicyRef[];
  /** Those of them that are themselves other than before; empty where it comes of what is in the clusters. */
  readonly causedBy: readonly PolicyRef[];
  /** The destinations and meshes whose part in the object changes. */
  readonly targets: readonly ResourceRef[];
  /** Empty but for objects that are there before and after. */
  readonly fields: readonly FieldChange[];
}

/** What would be written to one cluster. */
export interface ClusterPlan {
  readonly cluster: string;
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly objects: readonly ObjectChange[];
}

/** A destination that the change reaches. */
export interface ReachedDestination {
  readonly destination: ResourceRef;
  /** Where objects about it would change: its own cluster, and those of its callers. */
  readonly clusters: readonly string[];
}

/** A policy that would be other than before, or come to something else. */
export interface PolicyChange {
  readonly policy: PolicyRef;
  /** `unchanged`: the policy is the same, and comes to something else. */
  readonly change: ChangeKind | 'unchanged';
  readonly before?: PolicyState;
  readonly after?: PolicyState;
  /** What is wrong or worth knowing then, and was not before. */
  readonly pendingUpdates: readonly string[];
}

export interface PlanDocument {
  readonly blastRadius: BlastRadius;
  /** Those with changes, by name. */
  readonly clusters: readonly ClusterPlan[];
  readonly destinations: readonly ReachedDestination[];
  readonly policies: readonly PolicyChange[];
}
