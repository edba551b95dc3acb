/**
 * The result of `plan`, as plain data: what would be written to which cluster, field by field, and for which policies.
 */
import type { PolicyRef, PolicyState, ResourceRef } from '@meshrelay/api';
import type { OutputLocation } from '../explain/mod.ts';

export type ChangeKind = 'created' | 'changed' | 'deleted';

/** The blast radius of the change. */
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

/** One value of an object that would change. */
export interface FieldChange {
  /** Such as `spec.http[0].timeout`; positions are those after the change, or before it for removed values. */
  readonly path: string;
  /** Absent: the field is added. */
  readonly before?: unknown;
  /** Absent: the field is removed. */
  readonly after?: unknown;
}

/** One object of one cluster that would be written or deleted. */
export interface ObjectChange extends OutputLocation {
  readonly change: ChangeKind;
  /** All source policies before and after. */
  readonly sourcePolicies: readonly PolicyRef[];
  /** The source policies that themselves change; empty if changes in the clusters are the cause. */
  readonly causedBy: readonly PolicyRef[];
  /** The destinations and meshes whose part in the object changes. */
  readonly targets: readonly ResourceRef[];
  /** Empty unless the object exists before and after. */
  readonly fields: readonly FieldChange[];
}

/** The changes in one cluster. */
export interface ClusterPlan {
  readonly cluster: string;
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly objects: readonly ObjectChange[];
}

/** A destination that the change affects. */
export interface ReachedDestination {
  readonly destination: ResourceRef;
  /** The clusters in which its objects would change: its own, and those of its callers. */
  readonly clusters: readonly string[];
}

/** A policy that would change, or whose result would change. */
export interface PolicyChange {
  readonly policy: PolicyRef;
  /** `unchanged`: the policy is the same, and its result changes. */
  readonly change: ChangeKind | 'unchanged';
  readonly before?: PolicyState;
  readonly after?: PolicyState;
  /** Errors and notes that would be new. */
  readonly pendingUpdates: readonly string[];
}

export interface PlanDocument {
  readonly blastRadius: BlastRadius;
  /** Those with changes, by name. */
  readonly clusters: readonly ClusterPlan[];
  readonly destinations: readonly ReachedDestination[];
  readonly policies: readonly PolicyChange[];
}
