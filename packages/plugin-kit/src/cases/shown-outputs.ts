/** Outputs as golden cases show them: the objects of each cluster, and what each is there for. */
import type { PolicyRef } from '@meshrelay/api';
import { type ControlPlane, SOURCE_POLICIES_ANNOTATION, valuesInOrder } from '@meshrelay/relay-core';

/** The objects by cluster, without the marks that core puts on every object, and with the policies they are there for in short. */
export function shownOutputs({ desired }: Pick<ControlPlane, 'desired'>): Record<string, object[]> {
  const result: Record<string, object[]> = {};
  for (const { cluster, object, sourcePolicies: because } of valuesInOrder(desired)) {
    const {
      labels: _owner,
      annotations: { [SOURCE_POLICIES_ANNOTATION]: _sourcePolicies, ...annotations } = {},
      ...metadata
    } = object.metadata;
    const shown = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
    result[cluster] ??= [];
    result[cluster].push({ because: because.map(shortRef), ...object, metadata: shown });
  }
  return result;
}

/** `TrafficPolicy meshrelay/name`, with ` of <cluster>` for one of a workload cluster. */
export function shortRef({ kind, cluster, namespace, name }: PolicyRef): string {
  return `${kind} ${namespace}/${name}${cluster === '' ? '' : ` of ${cluster}`}`;
}
