/** `status.json` of the offline commands: the status of every policy, and the source policies of each object. */
import type { ClusterObjectRef, Condition, PolicyRef, PolicyState, Report, TargetStatus } from '@meshrelay/api';
import { type Key, partsOf } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import type { DesiredObject } from '../output/mod.ts';

/** The status of one policy. */
export interface PolicyEntry extends PolicyRef {
  readonly state: PolicyState;
  readonly conditions: ReadonlyArray<Omit<Condition, 'lastTransitionTime'>>;
  readonly observedGeneration: number;
  readonly targetCount?: number | undefined;
  readonly targets: readonly TargetStatus[];
  readonly reports: readonly Report[];
  /** Only for a virtual destination. */
  readonly address?: string;
  readonly selectedDestinations?: readonly ClusterObjectRef[];
}

/** One object of one cluster, with its source policies. */
export interface OutputEntry {
  readonly cluster: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly sourcePolicies: readonly PolicyRef[];
}

export interface StatusDocument {
  readonly policies: readonly PolicyEntry[];
  readonly outputs: readonly OutputEntry[];
}

/** The document, with policies and outputs in a fixed order. */
export function statusDocument({ statuses, desired }: Pick<ControlPlane, 'statuses' | 'desired'>): StatusDocument {
  return {
    policies: valuesInOrder(statuses).map(({ ref, status }) => {
      const { state, conditions, observedGeneration, targets, reports, targetCount, ...facts } = status;
      return { ...ref, state, conditions, observedGeneration, targetCount, targets, reports, ...facts };
    }),
    outputs: valuesInOrder(desired).map(outputEntry),
  };
}

function outputEntry({ cluster, object, sourcePolicies }: DesiredObject): OutputEntry {
  const { apiVersion, kind, metadata } = object;
  return { cluster, apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name, sourcePolicies };
}

/** The values of a collection in the order of their keys' parts. */
export function valuesInOrder<V>(collection: { entries(): Iterable<readonly [Key, V]> }): V[] {
  return [...collection.entries()]
    .map(([itemKey, value]) => ({ order: partsOf(itemKey).join('\0'), value }))
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ value }) => value);
}
