/**
 * PeerAuthentications for a whole mesh: of two, Istio uses the oldest. Those for namespaces and pods are evaluated by
 * the callers that need them.
 */
import type { ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
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
      return { effect: 'info', text: `already requires mutual TLS in the whole mesh` };
    return {
      effect: 'notApplied',
      text: `has mode ${mode ?? 'UNSET'} for the whole mesh, and Istio uses the oldest of such PeerAuthentications`,
    };
  },
};

function wordOf(namespace: string): string {
  return `PeerAuthentication ${namespace}`;
}
