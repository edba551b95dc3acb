/** Outputs in the format of golden cases: the objects of each cluster, and the source policies of each. */
import type { PolicyRef } from '@meshrelay/api';
import { type ControlPlane, valuesInOrder } from '@meshrelay/relay-core';
import { OF_CORE } from '../output-facts.ts';

/**
 * The objects by cluster, with the labels and annotations of the plugin, without those that core adds to every object,
 * and with their source policies in short form.
 */
export function shownOutputs({ desired }: Pick<ControlPlane, 'desired'>): Record<string, object[]> {
  const result: Record<string, object[]> = {};
  for (const { cluster, object, sourcePolicies } of valuesInOrder(desired)) {
    const { labels, annotations, ...metadata } = object.metadata;
    const shown = { ...metadata, ...nonEmpty({ labels: ofPlugin(labels), annotations: ofPlugin(annotations) }) };
    result[cluster] ??= [];
    result[cluster].push({ sourcePolicies: sourcePolicies.map(shortRef), ...object, metadata: shown });
  }
  return result;
}

function ofPlugin(values: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !OF_CORE.has(name)));
}

function nonEmpty(lists: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(Object.entries(lists).filter(([, values]) => Object.keys(values).length > 0));
}

/** `TrafficPolicy meshrelay/name`, with ` of <cluster>` for one of a workload cluster. */
function shortRef({ kind, cluster, namespace, name }: PolicyRef): string {
  return `${kind} ${namespace}/${name}${cluster === '' ? '' : ` of ${cluster}`}`;
}
