/**
 * ServiceEntries of one host: endpoints of one namespace are united; of several namespaces a client's own goes first, then the oldest. Connection
 * settings and routes hold for a host whoever has the service of that name, so ours stay away from one of the user's.
 */
import type { KubeObject } from '@meshrelay/api';
import type { MeshFacts, NativeObject, ObjectConflict, ObjectConflicts } from '@meshrelay/relay-core';
import { DESTINATION_RULE, VIRTUAL_SERVICE } from '../kinds.ts';
import { covers, visibleIn, wordOf, wordsCovering } from './hosts.ts';
import { namespaceOf, specOf, textsOf } from './spec.ts';
import { wordsOfSelected } from './workload-entry.ts';

const prefixed = (words: readonly string[]): string[] => words.map((word) => `ServiceEntry ${word}`);

/** The words by which users' services of these hosts are found. */
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
      return { effect: 'degraded', text: `has endpoints of ${host} too, which Istio unites with ours; remove one` };
    const text = `is a service ${host} too, and callers take that of their own namespace, else the oldest`;
    if (seen === undefined) return { effect: 'notApplied', text };
    return { effect: 'degraded', text: `${text}: those in ${seen.join(', ')} may reach it instead; remove one` };
  },
};

/** What of ours holds for a host, by its kind. */
const WHAT_HOLDS: Readonly<Record<string, string>> = {
  [DESTINATION_RULE.kind]: 'connection settings',
  [VIRTUAL_SERVICE.kind]: 'routes',
};

/** Names of Services of the cluster itself are nobody's but theirs: there users' entries only add endpoints. */
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
  return { effect: 'notApplied', text: `is a service ${host} too, which ${what} of ours would hold for` };
}
