/**
 * ServiceEntries of one host: Istio merges endpoints within a namespace. Across namespaces a client uses its own
 * namespace's entry, else the oldest. Connection settings and routes apply to the host independent of which entry
 * defines it. So Meshrelay does not apply its own if the user has one.
 */
import type { KubeObject, MeshFacts, NativeObject, ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { DESTINATION_RULE, VIRTUAL_SERVICE } from '../kinds.ts';
import { covers, visibleIn, wordOf, wordsCovering } from './hosts.ts';
import { namespaceOf, specOf, textsOf } from './spec.ts';
import { wordsOfSelected } from './workload-entry.ts';

const prefixed = (words: readonly string[]): string[] => words.map((word) => `ServiceEntry ${word}`);

/** Index keys of users' services with these hosts. */
export function wordsOfServices(hosts: readonly string[]): string[] {
  return prefixed(hosts.flatMap(wordsCovering));
}

export const serviceEntries: ObjectConflicts = {
  indexKeys: (unmanaged) =>
    prefixed(textsOf(specOf(unmanaged)['hosts']).map((host) => wordOf(host, namespaceOf(unmanaged)))),
  lookupKeys: (managed) => [
    ...wordsOfServices(textsOf(specOf(managed)['hosts'])),
    ...wordsOfSelected(namespaceOf(managed), specOf(managed)),
  ],
  detect(managed, unmanaged, meshes): ObjectConflict | undefined {
    const what = WHAT_HOLDS[managed.kind];
    if (what !== undefined) return holdingFor(managed, unmanaged, meshes, what);
    const spec = specOf(unmanaged);
    const namespace = namespaceOf(unmanaged);
    const seen = visibleIn(unmanaged, meshes);
    const host = textsOf(specOf(managed)['hosts']).find((own) =>
      textsOf(spec['hosts']).some((their) => covers(their, namespace, own, meshes) === 'same'),
    );
    if (host === undefined || seen?.length === 0) return undefined;
    if (namespace === namespaceOf(managed))
      return {
        effect: 'degraded',
        text: `also has endpoints of ${host}, which Istio merges with the generated ones; delete one`,
      };
    const text = `also defines ${host}, and callers use the one of their own namespace, else the oldest`;
    if (seen === undefined) return { effect: 'notApplied', text };
    return { effect: 'degraded', text: `${text}: callers in ${seen.join(', ')} may use yours; delete one` };
  },
};

/** The generated setting that applies to a host, by its kind. */
const WHAT_HOLDS: Readonly<Record<string, string>> = {
  [DESTINATION_RULE.kind]: 'connection settings',
  [VIRTUAL_SERVICE.kind]: 'routes',
};

/** Only a Kubernetes Service defines the host of a cluster's own Service; users' entries only add endpoints to it. */
function holdingFor(
  managed: NativeObject,
  unmanaged: KubeObject,
  meshes: readonly MeshFacts[],
  what: string,
): ObjectConflict | undefined {
  const namespace = namespaceOf(unmanaged);
  const { host: only, hosts } = specOf(managed);
  const host = (typeof only === 'string' ? [only] : textsOf(hosts)).find((own) =>
    textsOf(specOf(unmanaged)['hosts']).some((their) => covers(their, namespace, own, meshes) === 'same'),
  );
  const isLocal = meshes.some(({ clusterDomain }) => host?.endsWith(`.svc.${clusterDomain}`));
  if (host === undefined || isLocal || namespace === namespaceOf(managed) || visibleIn(unmanaged, meshes) !== undefined)
    return undefined;
  return { effect: 'notApplied', text: `also defines ${host}, to which the generated ${what} would apply` };
}
