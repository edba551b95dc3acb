/** Small snapshots for the tests, and comparison of two stores. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { eventually } from '@meshrelay/testing';
import type { ObjectKind, SnapshotDelta, SnapshotStore, StoredObject } from '../../src/mod.ts';

export const MESH: ObjectKind = { group: 'discovery.meshrelay.dev', version: 'v1alpha1', kind: 'Mesh' };
export const SERVICE: ObjectKind = { group: '', version: 'v1', kind: 'Service' };
export const KINDS: readonly ObjectKind[] = [MESH, SERVICE];

/** An object whose content is `text`. */
export function object(kind: ObjectKind, name: string, text: string): StoredObject {
  const body = Uint8Array.from(Buffer.from(JSON.stringify({ name, text })));
  return {
    ...kind,
    namespace: 'default',
    name,
    hash: Buffer.from(text).toString('hex').padStart(32, '0').slice(-32),
    body,
  };
}

export function step(cluster: string, seq: number, changes: Partial<SnapshotDelta> = {}): SnapshotDelta {
  return { cluster, term: 1, seq, kind: MESH, upserts: [], deletes: [], synced: true, ...changes };
}

/** Writes a synced cluster of `count` meshes. @returns the last number */
export async function fill(
  store: SnapshotStore,
  cluster: string,
  count: number,
  text = 'one',
  term = 1,
): Promise<number> {
  await store.open({ cluster, term, kinds: KINDS });
  const upserts = Array.from({ length: count }, (_, at) => object(MESH, `m${at}`, `${text}-${at}`));
  await store.write(step(cluster, 1, { term, upserts }));
  await store.write(step(cluster, 2, { term, kind: SERVICE }));
  return 2;
}

/** All data of a cluster in a store, as a short text. */
export async function sent(store: SnapshotStore, cluster: string): Promise<string> {
  const snapshot = await store.read(cluster);
  if (snapshot === undefined) return 'unknown';
  const kinds = snapshot.kinds.map(({ kind, announced, synced, objects, missing }) => [
    kind.kind,
    announced,
    synced,
    objects.length,
    digestOf(objects.map(({ name, hash, body }) => `${name}=${hash}:${Buffer.from(body).toString('latin1')}`)),
    missing.map(({ name }) => name).sort(),
  ]);
  return JSON.stringify([snapshot.version, snapshot.complete, snapshot.compared, kinds]);
}

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts.toSorted())).digest('hex').slice(0, 16);
}

/** Waits until both stores have the same data of the clusters. */
export async function alike(one: SnapshotStore, other: SnapshotStore, ...clusters: readonly string[]): Promise<void> {
  for (const cluster of clusters) {
    let seen: readonly string[] = [];
    await eventually(
      `both know the same of ${cluster}`,
      async () => {
        seen = [await sent(one, cluster), await sent(other, cluster)];
        return seen[0] === seen[1];
      },
      { seen: () => seen },
    );
  }
}
