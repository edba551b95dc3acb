/** Outputs in the format of golden cases: the objects of each cluster, and the source policies of each. */
import type { PolicyRef } from '@meshrelay/api';
import { type ControlPlane, SOURCE_POLICIES_ANNOTATION, valuesInOrder } from '@meshrelay/relay-core';

/**
 * The objects by cluster, without the metadata that core adds to every object, and with their source policies in short
 * form.
 */
export function shownOutputs({ desired }: Pick<ControlPlane, 'desired'>): Record<string, object[]> {
  const result: Record<string, object[]> = {};
  for (const { cluster, object, sourcePolicies } of valuesInOrder(desired)) {
    const {
      labels: _owner,
      annotations: { [SOURCE_POLICIES_ANNOTATION]: _sourcePolicies, ...annotations } = {},
      ...metadata
    } = object.metadata;
    const shown = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
    result[cluster] ??= [];
    result[cluster].push({ sourcePolicies: sourcePolicies.map(shortRef), ...object, metadata: shown });
  }
  return result;
}

/** `TrafficPolicy meshrelay/name`, with ` of <cluster>` for one of a workload cluster. */
function shortRef({ kind, cluster, namespace, name }: PolicyRef): string {
  return `${kind} ${namespace}/${name}${cluster === '' ? '' : ` of ${cluster}`}`;
}
