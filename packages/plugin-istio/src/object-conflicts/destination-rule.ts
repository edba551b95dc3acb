/**
 * DestinationRules of one host: clients use the one of their own namespace, else the Service's, else the root
 * namespace's. Istio merges rules in one namespace: the oldest sets the host's traffic policy, and wins for subsets of
 * the same name.
 */
import type { MeshFacts, NativeObject, ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { rootNamespace } from '../root-namespace.ts';
import { covers, visibleIn, wordOf, wordsCovering } from './hosts.ts';
import { wordsOfServices } from './service-entry.ts';
import { type Fields, fieldsOf, listOf, namespaceOf, specOf } from './spec.ts';

const prefixed = (words: readonly string[]): string[] => words.map((word) => `DestinationRule ${word}`);

export const destinationRules: ObjectConflicts = {
  indexKeys(unmanaged) {
    const { host } = specOf(unmanaged);
    return typeof host === 'string' ? prefixed([wordOf(host, namespaceOf(unmanaged))]) : [];
  },
  lookupKeys(managed) {
    const { host } = specOf(managed);
    return typeof host === 'string' ? [...prefixed(wordsCovering(host)), ...wordsOfServices([host])] : [];
  },
  detect(managed, unmanaged, meshes): ObjectConflict | undefined {
    const [own, spec] = [specOf(managed), specOf(unmanaged)];
    const host = String(own['host']);
    const namespace = namespaceOf(unmanaged);
    const cover = covers(String(spec['host']), namespace, host, meshes);
    const seen = visibleIn(unmanaged, meshes);
    if (cover === undefined || seen?.length === 0) return undefined;
    if (namespace !== namespaceOf(managed) && !isRoot(namespace, meshes)) return hiding(host, namespace, seen);
    if (cover === 'wildcard' || namespace !== namespaceOf(managed)) {
      const text =
        cover === 'wildcard'
          ? `has connection settings for ${String(spec['host'])}, which no longer apply to ${host}: Istio prefers the more specific host`
          : `has connection settings for ${host}, which no longer apply: Istio prefers the namespace of the Service`;
      return { effect: 'info', text };
    }
    return merging(managed, spec, seen);
  },
};

/** Proxies of the root namespace look into the Service's namespace first. */
function isRoot(namespace: string, meshes: readonly MeshFacts[]): boolean {
  return meshes.some((mesh) => rootNamespace(mesh) === namespace);
}

function hiding(host: string, namespace: string, seen: readonly string[] | undefined): ObjectConflict | undefined {
  if (seen !== undefined && !seen.includes(namespace)) return undefined;
  const text = `also has connection settings and subsets for ${host}, and callers in namespace ${namespace} use them instead of the generated ones; move its settings to a TrafficPolicy, or delete it`;
  return { effect: 'degraded', text };
}

/** Conflict between two rules in one namespace. */
function merging(managed: NativeObject, unmanaged: Fields, seen: readonly string[] | undefined): ObjectConflict {
  const own = specOf(managed);
  const host = String(own['host']);
  if (Object.keys(fieldsOf(unmanaged['workloadSelector'])).length > 0) {
    const text = `has connection settings for ${host} that replace the generated ones for the pods it selects; delete it`;
    return { effect: 'degraded', text };
  }
  if (seen !== undefined) {
    const text = `also has connection settings for ${host} and is visible in ${seen.join(', ')} only, so Istio does not merge the two, and callers there may use it instead; delete it, or its exportTo`;
    return { effect: 'degraded', text };
  }
  const subsets = namesOf(own).filter((name) => namesOf(unmanaged).includes(name));
  const both = own['trafficPolicy'] !== undefined && unmanaged['trafficPolicy'] !== undefined;
  if (!both && subsets.length === 0)
    return { effect: 'info', text: `is also for ${host}; Istio merges both completely` };
  const what = both ? 'connection settings' : `a subset ${subsets.join(', ')}`;
  return {
    effect: 'degraded',
    text: `also has ${what} for ${host}, and Istio uses those of the older object; delete one`,
  };
}

function namesOf({ subsets }: Fields): string[] {
  return listOf(subsets).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}
