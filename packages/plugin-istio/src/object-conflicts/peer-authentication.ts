/** PeerAuthentications for a whole mesh: of two the oldest counts. What those for namespaces and pods come to is looked up where it matters. */
import type { ObjectConflict, ObjectConflicts } from '@meshrelay/relay-core';
import { modeOf, selectsPods } from '../peer-authentications.ts';
import { namespaceOf, specOf } from './spec.ts';

export const peerAuthentications: ObjectConflicts = {
  indexKeys: (unmanaged) => (selectsPods(specOf(unmanaged)) ? [] : [wordOf(namespaceOf(unmanaged))]),
  lookupKeys: (managed) => [wordOf(namespaceOf(managed))],
  detect(managed, unmanaged): ObjectConflict | undefined {
    const spec = specOf(unmanaged);
    if (selectsPods(spec)) return undefined;
    const mode = modeOf(spec);
    if (mode === modeOf(specOf(managed)))
      return { effect: 'info', text: `demands mutual TLS of the whole mesh already` };
    return {
      effect: 'notApplied',
      text: `has the mode ${mode ?? 'UNSET'} for the whole mesh, and of two such PeerAuthentications the oldest counts`,
    };
  },
};

function wordOf(namespace: string): string {
  return `PeerAuthentication ${namespace}`;
}
