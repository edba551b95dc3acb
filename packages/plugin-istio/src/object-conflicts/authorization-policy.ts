/** All AuthorizationPolicies of a pod apply: any matching DENY rejects a request, else any matching ALLOW admits it. */
import type { ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { namespaceOf, namesTargets, selectedLabels, sharedPods, specOf } from './spec.ts';

export const authorizationPolicies: ObjectConflicts = {
  indexKeys(unmanaged) {
    const spec = specOf(unmanaged);
    if (namesTargets(spec)) return [];
    return wordsOf(namespaceOf(unmanaged), selectedLabels(spec));
  },
  lookupKeys(managed) {
    const own = selectedLabels(specOf(managed));
    const namespace = namespaceOf(managed);
    // The mesh reports an AuthorizationPolicy for a whole namespace or mesh.
    return Object.keys(own).length === 0 ? [] : [...wordsOf(namespace, own), ...wordsOf(namespace, {})];
  },
  detect(managed, unmanaged): ObjectConflict | undefined {
    const spec = specOf(unmanaged);
    const pods = sharedPods(selectedLabels(specOf(managed)), selectedLabels(spec));
    if (pods === undefined) return undefined;
    const action = typeof spec['action'] === 'string' ? spec['action'] : 'ALLOW';
    const what = `selects ${pods}, so both apply`;
    const text =
      action === 'ALLOW'
        ? `${what}: requests that it allows are allowed, too`
        : action === 'DENY'
          ? `${what}: requests that it denies are denied even if the generated one allows them`
          : `${what}: its action ${action} is evaluated first`;
    return { effect: 'info', text };
  },
};

function wordsOf(namespace: string, selected: Readonly<Record<string, string>>): string[] {
  const names = Object.entries(selected).map(([name, value]) => `${name}=${value}`);
  return (names.length === 0 ? ['all'] : names).map((word) => `AuthorizationPolicy ${namespace} ${word}`);
}
