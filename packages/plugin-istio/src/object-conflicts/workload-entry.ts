/**
 * WorkloadEntries that a generated ServiceEntry selects by labels: Istio uses them as endpoints of its host, like pods.
 */
import type { KubeObject, ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { fieldsOf, labelsOf, namespaceOf, specOf, textsOf, within } from './spec.ts';

const wordsOf = (namespace: string, labels: Readonly<Record<string, string>>): string[] =>
  Object.entries(labels).map(([name, value]) => `WorkloadEntry ${namespace} ${name}=${value}`);

/** Meshrelay generates no WorkloadEntries; ServiceEntries look them up. */
export const workloadEntries: Pick<ObjectConflicts, 'indexKeys' | 'detect'> = {
  indexKeys: (unmanaged) => wordsOf(namespaceOf(unmanaged), labels(unmanaged)),
  detect(managed, unmanaged): ObjectConflict | undefined {
    const selector = labelsOf(fieldsOf(specOf(managed)['workloadSelector'])['labels']);
    if (Object.keys(selector).length === 0 || !within(labels(unmanaged), selector)) return undefined;
    const [host = ''] = textsOf(specOf(managed)['hosts']);
    const text = `has the labels of the pods behind ${host}, so it is an endpoint of that host, too, and also gets requests from other clusters`;
    return { effect: 'info', text };
  },
};

/** Lookup keys of a generated ServiceEntry: any one of its labels suffices, so the first is used. */
export function wordsOfSelected(namespace: string, serviceEntry: Readonly<Record<string, unknown>>): string[] {
  return wordsOf(namespace, labelsOf(fieldsOf(serviceEntry['workloadSelector'])['labels'])).slice(0, 1);
}

/** Istio merges the labels of metadata and spec. */
function labels(entry: KubeObject): Readonly<Record<string, string>> {
  return { ...labelsOf(specOf(entry)['labels']), ...labelsOf(entry.metadata.labels) };
}
