/** ServiceEntries of one host: endpoints of one namespace are united; of several namespaces a client's own goes first, then the oldest. */
import type { Encounter, Rivalry } from '@meshrelay/relay-core';
import { covers, visibleIn, wordOf, wordsCovering } from './hosts.ts';
import { namespaceOf, specOf, textsOf } from './spec.ts';
import { wordsOfSelected } from './workload-entry.ts';

const prefixed = (words: readonly string[]): string[] => words.map((word) => `ServiceEntry ${word}`);

export const serviceEntries: Rivalry = {
  foundBy: (theirs) => prefixed(textsOf(specOf(theirs)['hosts']).map((host) => wordOf(host, namespaceOf(theirs)))),
  looksFor: (ours) => [
    ...prefixed(textsOf(specOf(ours)['hosts']).flatMap(wordsCovering)),
    ...wordsOfSelected(namespaceOf(ours), specOf(ours)),
  ],
  meet(ours, theirs, meshes): Encounter | undefined {
    const spec = specOf(theirs);
    const namespace = namespaceOf(theirs);
    const seen = visibleIn(theirs, meshes);
    const host = textsOf(specOf(ours)['hosts']).find((own) =>
      textsOf(spec['hosts']).some((their) => covers(their, namespace, own, meshes) === 'same'),
    );
    if (host === undefined || seen?.length === 0) return undefined;
    if (namespace === namespaceOf(ours))
      return { effect: 'degraded', text: `has endpoints of ${host} too, which Istio unites with ours; remove one` };
    const text = `is a service ${host} too, and callers take that of their own namespace, else the oldest`;
    if (seen === undefined) return { effect: 'withheld', text };
    return { effect: 'degraded', text: `${text}: those in ${seen.join(', ')} may reach it instead; remove one` };
  },
};
