/** WorkloadEntries that a ServiceEntry of ours selects by their labels: Istio takes them for endpoints of its host, as it takes pods. */
import type { KubeObject } from '@meshrelay/api';
import type { Encounter, Rivalry } from '@meshrelay/relay-core';
import { fieldsOf, labelsOf, namespaceOf, specOf, textsOf, within } from './spec.ts';

const wordsOf = (namespace: string, labels: Readonly<Record<string, string>>): string[] =>
  Object.entries(labels).map(([name, value]) => `WorkloadEntry ${namespace} ${name}=${value}`);

/** Nothing of ours is a WorkloadEntry; ServiceEntries look for them. */
export const workloadEntries: Pick<Rivalry, 'foundBy' | 'meet'> = {
  foundBy: (theirs) => wordsOf(namespaceOf(theirs), labels(theirs)),
  meet(ours, theirs): Encounter | undefined {
    const selector = labelsOf(fieldsOf(specOf(ours)['workloadSelector'])['labels']);
    if (Object.keys(selector).length === 0 || !within(labels(theirs), selector)) return undefined;
    const [host = ''] = textsOf(specOf(ours)['hosts']);
    const text = `has the labels of the pods behind ${host}, so it is an endpoint of that too, and requests of other clusters go there as well`;
    return { effect: 'noted', text };
  },
};

/** The words by which a ServiceEntry of ours finds them: any one of its labels would do, and the first is one. */
export function wordsOfSelected(namespace: string, serviceEntry: Readonly<Record<string, unknown>>): string[] {
  return wordsOf(namespace, labelsOf(fieldsOf(serviceEntry['workloadSelector'])['labels'])).slice(0, 1);
}

/** Istio joins those of metadata and spec. */
function labels(entry: KubeObject): Readonly<Record<string, string>> {
  return { ...labelsOf(specOf(entry)['labels']), ...labelsOf(entry.metadata.labels) };
}
