/** VirtualServices of one host: sidecars use the oldest as a whole and ignore the others. */
import type { ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { covers, visibleIn, wordOf, wordsCovering } from './hosts.ts';
import { wordsOfServices } from './service-entry.ts';
import { type Fields, namespaceOf, specOf, textsOf } from './spec.ts';

const prefixed = (words: readonly string[]): string[] => words.map((word) => `VirtualService ${word}`);

export const virtualServices: ObjectConflicts = {
  indexKeys(unmanaged) {
    const spec = specOf(unmanaged);
    return forSidecars(spec)
      ? prefixed(textsOf(spec['hosts']).map((host) => wordOf(host, namespaceOf(unmanaged))))
      : [];
  },
  lookupKeys(managed) {
    const spec = specOf(managed);
    const hosts = textsOf(spec['hosts']);
    return forSidecars(spec) ? [...prefixed(hosts.flatMap(wordsCovering)), ...wordsOfServices(hosts)] : [];
  },
  detect(managed, unmanaged, meshes): ObjectConflict | undefined {
    const spec = specOf(unmanaged);
    const namespace = namespaceOf(unmanaged);
    const seen = visibleIn(unmanaged, meshes);
    if (seen?.length === 0) return undefined;
    const pairs = textsOf(specOf(managed)['hosts']).flatMap((host) =>
      textsOf(spec['hosts']).map((their) => ({ host, their, cover: covers(their, namespace, host, meshes) })),
    );
    const same = pairs.find(({ cover }) => cover === 'same');
    if (same !== undefined) {
      const what = `has routes for ${same.host}, and sidecars use only the oldest VirtualService of a host`;
      if (seen === undefined) return { effect: 'notApplied', text: what };
      return { effect: 'degraded', text: `${what}: callers in ${seen.join(', ')} may use yours; delete one` };
    }
    const wildcard = pairs.find(({ cover }) => cover === 'wildcard');
    if (wildcard === undefined) return undefined;
    const { their, host } = wildcard;
    return {
      effect: 'info',
      text: `has routes for ${their}, which no longer apply to ${host}: Istio prefers the more specific host`,
    };
  },
};

function forSidecars({ gateways }: Fields): boolean {
  const names = textsOf(gateways);
  return names.length === 0 || names.includes('mesh');
}
