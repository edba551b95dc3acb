/** GET of a collection. */
import type { ReadableCluster } from '../cluster.ts';
import { expired, tooLargeResourceVersion } from '../errors/api-errors.ts';
import type { KubeObject } from '../object.ts';
import { inVersion } from '../resources/convert.ts';
import type { Snapshot } from '../storage/object-collection.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import type { Target } from './identity.ts';
import type { ListOptions } from './list-options.ts';

/** One page of a list. */
export interface ListPage {
  /** In key order; they must not be changed. */
  readonly objects: readonly KubeObject[];
  /** The revision of the page. */
  readonly resourceVersion: string;
  /** Token of the next page, `''` on the last. */
  readonly continueToken: string;
  /** Number of remaining items; unknown if a selector is set. */
  readonly remaining: number | undefined;
}

const LIST_EXPIRED = 'The resourceVersion for the provided list is too old.';
const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/**
 * Lists a collection.
 * @throws StatusError 400 (continue token), 410 (revision compacted) or 504 (revision from the future)
 */
export function listObjects(cluster: ReadableCluster, target: Omit<Target, 'name'>, options: ListOptions): ListPage {
  const { snapshot, revision } =
    options.continueToken === '' ? first(cluster, target, options) : next(cluster, target, options);
  const { resource } = target;
  const matching: (readonly [string, KubeObject])[] = [];
  for (const [key, object] of snapshot) {
    if (options.fields.name !== undefined && object.metadata.name !== options.fields.name) continue;
    if (!options.labels(object.metadata.labels)) continue;
    const shown = inVersion(object, resource);
    if (options.fields.matches(shown)) matching.push([key, shown]);
  }
  const limit = options.resourceVersion === 0 && options.match === '' ? 0 : options.limit;
  const page = limit > 0 ? matching.slice(0, limit) : matching;
  const last = page.at(-1);
  const more = page.length < matching.length && last !== undefined;
  return {
    objects: page.map(([, object]) => object),
    resourceVersion: String(revision),
    continueToken: more ? encodeContinue({ revision, start: `${last[0]}\0` }) : '',
    remaining: more && !options.selective ? matching.length - page.length : undefined,
  };
}

interface Start {
  readonly snapshot: Snapshot;
  readonly revision: number;
}

function first(cluster: ReadableCluster, { resource, namespace }: Omit<Target, 'name'>, options: ListOptions): Start {
  const collection = cluster.store.collection(resource.definition);
  const current = cluster.store.revision;
  const requested = options.resourceVersion ?? 0;
  if (requested > current) throw tooLargeResourceVersion(requested, current);
  const exact = options.match === 'Exact' || (options.match === '' && options.limit > 0 && requested > 0);
  if (!exact) return { snapshot: collection.snapshot(namespace), revision: current };
  const snapshot = collection.snapshotAt(requested, namespace);
  if (snapshot === undefined) throw expired(LIST_EXPIRED);
  return { snapshot, revision: requested };
}

function next(cluster: ReadableCluster, { resource, namespace }: Omit<Target, 'name'>, options: ListOptions): Start {
  const { revision, start } = decodeContinue(options.continueToken);
  const collection = cluster.store.collection(resource.definition);
  const current = cluster.store.revision;
  const at = revision < 0 ? current : revision;
  const snapshot = revision < 0 ? collection.snapshot(namespace) : collection.snapshotAt(at, namespace);
  if (snapshot === undefined) throw expired(CONTINUE_EXPIRED, encodeContinue({ revision: -1, start }));
  return { snapshot: snapshot.filter(([key]) => key >= start), revision: at };
}
