/** The subjects that users can query, and how they write them: `[KIND/][[CLUSTER/]NAMESPACE/]NAME`. */
import { definitionOf, type KindName, policyKinds } from '@meshrelay/api';
import { type Key, key, partsOf } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { allOutputs } from './places.ts';

/** A policy, a destination or an object of a cluster. */
export interface Subject {
  readonly about: 'policy' | 'destination' | 'output';
  readonly key: Key;
  readonly kind: string;
  /** The management cluster is written `_`. */
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** Represents the management cluster, which has no name. */
const NO_CLUSTER = '_';

/** The unambiguous form of a subject. */
export function subjectText({ kind, cluster, namespace, name }: Subject): string {
  return [kind, cluster, namespace, name].map((part) => (part === '' ? NO_CLUSTER : part)).join('/');
}

/** All subjects. */
export function* allSubjects(plane: ControlPlane): Generator<Subject> {
  const { statuses, resolved } = plane;
  for (const [id, { ref }] of statuses.entries()) yield { about: 'policy', key: id, ...ref };
  for (const [id, { cluster, namespace, name }] of resolved.destinations.known.entries())
    yield { about: 'destination', key: id, kind: 'Destination', cluster, namespace, name };
  for (const id of allOutputs(plane)) {
    const [cluster = '', , kind = '', namespace = '', name = ''] = partsOf(id);
    yield { about: 'output', key: id, kind, cluster, namespace, name };
  }
}

/**
 * The subjects that a text names: by their own names, by a host name, or for destinations by the name in the management
 * cluster.
 */
export function subjectsNamed(plane: ControlPlane, text: string): Subject[] {
  const words = text.split('/');
  const kinds = new KindWords(plane);
  const word = words.at(-1) ?? '';
  const aliased = { destination: aliasedDestination(plane, word), policies: virtualDestinationsAt(plane, word) };
  return [...allSubjects(plane)].filter((subject) => {
    const { kind, cluster, namespace, name, about } = subject;
    const alias =
      (about === 'destination' && subject.key === aliased.destination) ||
      (about === 'policy' && aliased.policies.has(subject.key));
    if (word !== name && !alias) return false;
    const [first = '', second = '', third = ''] = words;
    const isCluster = (part: string): boolean => part === (cluster === '' ? NO_CLUSTER : cluster);
    const isNamespace = (part: string): boolean => part === (namespace === '' ? NO_CLUSTER : namespace);
    switch (words.length) {
      case 1:
        return true;
      case 2:
        return kinds.means(first, kind) || isNamespace(first);
      case 3:
        return (kinds.means(first, kind) || isCluster(first)) && isNamespace(second);
      case 4:
        return kinds.means(first, kind) && isCluster(second) && isNamespace(third);
      default:
        return false;
    }
  });
}

/** The destination with this name in the management cluster, or this host name. */
function aliasedDestination({ shown, resolved }: ControlPlane, name: string): Key | undefined {
  const object = shown.activate().discovered.get(key('Destination', name));
  if (object?.kind === 'Destination') {
    const { kubeService } = object.spec;
    if (kubeService !== undefined) {
      const { clusterName, namespace, name: service } = kubeService.ref;
      return key(clusterName, namespace, service);
    }
  }
  if (!name.includes('.')) return undefined;
  for (const [id, { hostname }] of resolved.federation.exported.entries()) if (hostname === name) return id;
  for (const [id, { hostname }] of resolved.destinations.known.entries()) if (hostname === name) return id;
  return undefined;
}

/** The VirtualDestinations with this host name; of several one holds it. */
function virtualDestinationsAt({ resolved }: ControlPlane, hostname: string): ReadonlySet<Key> {
  if (!hostname.includes('.')) return new Set();
  const all = [...resolved.policies.checked.entries()];
  return new Set(
    all.flatMap(([id, { object }]) =>
      object.kind === 'VirtualDestination' && object.spec.hostname === hostname ? [id] : [],
    ),
  );
}

/** The words for kinds: their names, plurals and short names, case-insensitive. */
class KindWords {
  readonly #byWord = new Map<string, Set<string>>();

  constructor({ plugins }: ControlPlane) {
    const managed: readonly KindName[] = ['Destination', ...policyKinds];
    for (const kind of managed) {
      const { plural, shortNames } = definitionOf(kind);
      for (const word of [kind, plural, ...shortNames]) this.#add(word, kind);
    }
    for (const { kind, plural } of plugins.flatMap(({ plugin }) => plugin.writes))
      for (const word of [kind, plural]) this.#add(word, kind);
  }

  means(word: string, kind: string): boolean {
    const lower = word.toLowerCase();
    return lower === kind.toLowerCase() || (this.#byWord.get(lower)?.has(kind) ?? false);
  }

  #add(word: string, kind: string): void {
    const kinds = this.#byWord.get(word.toLowerCase()) ?? new Set();
    this.#byWord.set(word.toLowerCase(), kinds.add(kind));
  }
}
