/** `status.json`: what became of every policy, and why each object is there. */
import { type ControlPlane, type DesiredObject, partsOf } from '@meshrelay/relay-core';

/** The document of DESIGN's offline commands, with policies and outputs in a fixed order. */
export function statusDocument({ statuses, desired }: ControlPlane): {
  readonly policies: readonly object[];
  readonly outputs: readonly object[];
} {
  return {
    policies: sortedValues(statuses).map(({ ref, status }) => {
      const { state, conditions, observedGeneration, targets, reports, targetCount } = status;
      return { ...ref, state, conditions, observedGeneration, targetCount, targets, reports };
    }),
    outputs: sortedValues(desired).map(outputEntry),
  };
}

function outputEntry({ cluster, object, because }: DesiredObject): object {
  const { apiVersion, kind, metadata } = object;
  return { cluster, apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name, because };
}

/** The values in the order of their keys' parts. */
export function sortedValues<V>(collection: { entries(): Iterable<readonly [string, V]> }): V[] {
  return [...collection.entries()]
    .map(([itemKey, value]) => ({ order: partsOf(itemKey).join('\0'), value }))
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ value }) => value);
}
