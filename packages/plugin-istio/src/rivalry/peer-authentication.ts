/** PeerAuthentications for a whole mesh: of two the oldest counts. What those for namespaces and pods come to is looked up where it matters. */
import type { Encounter, Rivalry } from '@meshrelay/relay-core';
import { modeOf, selectsPods } from '../peer-authentications.ts';
import { namespaceOf, specOf } from './spec.ts';

export const peerAuthentications: Rivalry = {
  foundBy: (theirs) => (selectsPods(specOf(theirs)) ? [] : [wordOf(namespaceOf(theirs))]),
  looksFor: (ours) => [wordOf(namespaceOf(ours))],
  meet(ours, theirs): Encounter | undefined {
    const spec = specOf(theirs);
    if (selectsPods(spec)) return undefined;
    const mode = modeOf(spec);
    if (mode === modeOf(specOf(ours))) return { effect: 'noted', text: `demands mutual TLS of the whole mesh already` };
    return {
      effect: 'withheld',
      text: `has the mode ${mode ?? 'UNSET'} for the whole mesh, and of two such PeerAuthentications the oldest counts`,
    };
  },
};

function wordOf(namespace: string): string {
  return `PeerAuthentication ${namespace}`;
}
