/**
 * ServiceEntries of one host: endpoints of one namespace are united; of several namespaces a client's own goes first, then the oldest. Connection
 * settings and routes hold for a host whoever has the service of that name, so ours stay away from one of the user's.
 */
import type { KubeObject } from '@meshrelay/api';
import type { Encounter, MeshFacts, NativeObject, Rivalry } from '@meshrelay/relay-core';
import { DESTINATION_RULE, VIRTUAL_SERVICE } from '../kinds.ts';
import { covers, visibleIn, wordOf, wordsCovering } from './hosts.ts';
import { namespaceOf, specOf, textsOf } from './spec.ts';
import { wordsOfSelected } from './workload-entry.ts';

const prefixed = (words: readonly string[]): string[] => words.map((word) => `ServiceEntry ${word}`);

/** The words by which users' services of these hosts are found. */
export function wordsOfServices(hosts: readonly string[]): string[] {
  return prefixed(hosts.flatMap(wordsCovering));
}

export const serviceEntries: Rivalry = {
  foundBy: (theirs) => prefixed(textsOf(specOf(theirs)['hosts']).map((host) => wordOf(host, namespaceOf(theirs)))),
  looksFor: (ours) => [
    ...wordsOfServices(textsOf(specOf(ours)['hosts'])),
    ...wordsOfSelected(namespaceOf(ours), specOf(ours)),
  ],
  meet(ours, theirs, meshes): Encounter | undefined {
    const what = WHAT_HOLDS[ours.kind];
    if (what !== undefined) return holdingFor(ours, theirs, meshes, what);
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

/** What of ours holds for a host, by its kind. */
const WHAT_HOLDS: Readonly<Record<string, string>> = {
  [DESTINATION_RULE.kind]: 'connection settings',
  [VIRTUAL_SERVICE.kind]: 'routes',
};

/** Names of Services of the cluster itself are nobody's but theirs: there users' entries only add endpoints. */
function holdingFor(
  ours: NativeObject,
  theirs: KubeObject,
  meshes: readonly MeshFacts[],
  what: string,
): Encounter | undefined {
  const namespace = namespaceOf(theirs);
  const { host: only, hosts } = specOf(ours);
  const host = (typeof only === 'string' ? [only] : textsOf(hosts)).find((own) =>
    textsOf(specOf(theirs)['hosts']).some((their) => covers(their, namespace, own, meshes) === 'same'),
  );
  const isLocal = meshes.some(({ clusterDomain }) => host?.endsWith(`.svc.${clusterDomain}`));
  if (host === undefined || isLocal || namespace === namespaceOf(ours) || visibleIn(theirs, meshes) !== undefined)
    return undefined;
  return { effect: 'withheld', text: `is a service ${host} too, which ${what} of ours would hold for` };
}
