/**
 * Reads the difference between Redis and memory for a cluster, and verifies each value. A value that cannot be read is
 * unknown: never empty, never deleted.
 */
import { ContentDigest } from '../content-digest.ts';
import type { AdoptedKind, HeldCluster } from '../memory/held-cluster.ts';
import type { HeldKind } from '../memory/held-kind.ts';
import { kindId, type ObjectKey, type StoredObject } from '../snapshot.ts';
import { indexField, objectField } from './layout.ts';
import type { FoundValue, RemoteSnapshots } from './remote-snapshots.ts';
import type { Corruption, SealLocation } from './seal.ts';
import { type Head, type IndexEntries, type KindHead, readIndex } from './values.ts';

/** A corrupt value. */
export interface CorruptValue {
  readonly what: SealLocation['kind'];
  readonly corruption: Corruption;
}

export interface Difference {
  readonly kinds: readonly AdoptedKind[];
  /** Number of fields of the contents; undefined if the index that names them is corrupt. */
  readonly fields: number | undefined;
  readonly corrupt: readonly CorruptValue[];
}

type Reader = Pick<RemoteSnapshots, 'values'>;
type KindDifference = AdoptedKind & { readonly fields: number | undefined };

/** Reads only the differences. @throws Error with Redis' message */
export async function readDifference(
  remote: Reader,
  cluster: string,
  head: Head,
  held: HeldCluster | undefined,
): Promise<Difference> {
  const corrupt: CorruptValue[] = [];
  const kinds: KindDifference[] = [];
  for (const kind of head.kinds) {
    const local = held?.kinds.get(kindId(kind.kind));
    kinds.push(
      isSame(kind, local)
        ? { ...current(kind), fields: local.size + kind.buckets.length }
        : await readKind(remote, cluster, kind, local, corrupt),
    );
  }
  const named = new Set(head.kinds.map(({ kind }) => kindId(kind)));
  const others = [...(held?.kinds ?? [])].filter(([id]) => !named.has(id));
  const retired = others.map(([, { kind }]) => current({ kind, announced: false, synced: false }));
  const fields = kinds.reduce((sum, one) => sum + (one.fields ?? Number.NaN), 0);
  return { kinds: [...kinds, ...retired], fields: Number.isNaN(fields) ? undefined : fields, corrupt };
}

function isSame({ digest }: KindHead, local: HeldKind | undefined): local is HeldKind {
  return local !== undefined && local.missing.size === 0 && local.summary().digest === digest;
}

function current({ kind, announced, synced }: Pick<KindHead, 'kind' | 'announced' | 'synced'>): AdoptedKind {
  return { kind, announced, synced, upserts: [], deletes: [], missing: [] };
}

async function readKind(
  remote: Reader,
  cluster: string,
  head: KindHead,
  local: HeldKind | undefined,
  corrupt: CorruptValue[],
): Promise<KindDifference> {
  const { kind, synced } = head;
  const index = await readWholeIndex(remote, cluster, head);
  if ('corruption' in index) {
    corrupt.push({ what: 'index', corruption: index.corruption });
    return { ...current({ ...head, synced: false }), fields: undefined };
  }
  const { entries } = index;
  const pendingUpdates = entries.filter(([id, hash]) => local?.objects.get(id)?.hash !== hash);
  const bodies = await remote.values(
    cluster,
    'object',
    pendingUpdates.map(([id, hash]) => objectField(kindId(kind), id, hash)),
  );
  const upserts: StoredObject[] = [];
  const missing: ObjectKey[] = [];
  for (const [at, [id, hash]] of pendingUpdates.entries()) {
    const body = bodies[at] ?? { state: 'none' };
    const key = { ...kind, ...namesOf(id) };
    if (body.state === 'known') upserts.push({ ...key, hash, body: Uint8Array.from(body.bytes) });
    else {
      missing.push(key);
      corrupt.push({ what: 'object', corruption: corruptionOf(body) });
    }
  }
  // In a kind that is not synced, absent objects may exist.
  const named = new Set(entries.map(([id]) => id));
  const gone = synced ? [...(local?.objects.keys() ?? [])].filter((id) => !named.has(id)) : [];
  const deletes = gone.map((id) => ({ ...kind, ...namesOf(id) }));
  return { ...current(head), upserts, deletes, missing, fields: entries.length + head.buckets.length };
}

/** All entries, if they match the head's digest; otherwise some bucket is from another version. */
async function readWholeIndex(
  remote: Reader,
  cluster: string,
  { kind, buckets, digest }: KindHead,
): Promise<{ readonly entries: IndexEntries } | { readonly corruption: Corruption }> {
  const fields = buckets.map((bucket) => indexField(kindId(kind), bucket));
  const entries: IndexEntries[number][] = [];
  for (const value of await remote.values(cluster, 'index', fields)) {
    if (value.state !== 'known') return { corruption: corruptionOf(value) };
    const some = readIndex(value.bytes);
    if (some === undefined) return { corruption: 'format' };
    entries.push(...some);
  }
  const found = new ContentDigest();
  for (const [id, hash] of entries) found.toggle(id, hash);
  return found.hex === digest ? { entries } : { corruption: 'stale' };
}

function corruptionOf(value: Exclude<FoundValue, { state: 'known' }>): Corruption {
  return value.state === 'none' ? 'lost' : value.corruption;
}

function namesOf(id: string): { readonly namespace: string; readonly name: string } {
  const slash = id.indexOf('/');
  return { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}
