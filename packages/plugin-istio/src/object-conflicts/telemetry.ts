/**
 * Telemetries: of those that select a pod by labels, Istio uses the oldest as a whole; it overrides those of the
 * namespace and the mesh.
 */
import type { ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { rootNamespace } from '../root-namespace.ts';
import { type Fields, listOf, namespaceOf, namesTargets, selectedLabels, sharedPods, specOf, textsOf } from './spec.ts';

const WIDE = 'Telemetry wide';

export const telemetries: ObjectConflicts = {
  indexKeys(unmanaged) {
    const spec = specOf(unmanaged);
    if (namesTargets(spec)) return [];
    const selected = selectedLabels(spec);
    return Object.keys(selected).length === 0 ? [WIDE] : wordsOf(namespaceOf(unmanaged), selected);
  },
  lookupKeys: (managed) => [...wordsOf(namespaceOf(managed), selectedLabels(specOf(managed))), WIDE],
  detect(managed, unmanaged, meshes): ObjectConflict | undefined {
    const [own, spec] = [selectedLabels(specOf(managed)), specOf(unmanaged)];
    const other = selectedLabels(spec);
    if (Object.keys(other).length > 0) {
      const pods = sharedPods(own, other);
      if (pods === undefined) return undefined;
      return {
        effect: 'notApplied',
        text: `selects ${pods}, and Istio uses only the oldest Telemetry that selects a pod; move its settings to a Telemetry for the namespace, or delete it`,
      };
    }
    const namespace = namespaceOf(unmanaged);
    const concerns = namespace === namespaceOf(managed) || meshes.some((mesh) => rootNamespace(mesh) === namespace);
    const names = providersOf(spec);
    if (!concerns || names.length === 0) return undefined;
    const text = `logs to ${names.join(', ')}, which stops for the pods that the generated one selects: Istio prefers the narrower Telemetry`;
    return { effect: 'info', text };
  },
};

function wordsOf(namespace: string, selected: Readonly<Record<string, string>>): string[] {
  return Object.entries(selected).map(([name, value]) => `Telemetry ${namespace} ${name}=${value}`);
}

function providersOf(spec: Fields): string[] {
  const names = listOf(spec['accessLogging']).flatMap(({ providers }) =>
    textsOf(listOf(providers).map(({ name }) => name)),
  );
  return [...new Set(names)].sort();
}
