/** The data of one cluster in memory, and the rules of its updates. */
import {
  compareVersions,
  entryId,
  isComplete,
  kindId,
  type ObjectKey,
  type ObjectKind,
  type Snapshot,
  type SnapshotDelta,
  type SnapshotDigest,
  type SnapshotVersion,
  type StoredObject,
} from '../snapshot.ts';
import type { TermOpening, WriteResult } from '../snapshot-store.ts';
import { type AppliedStep, HeldKind } from './held-kind.ts';

/** State of a kind in another replica's memory, as a difference from the local one. */
export interface AdoptedKind extends AppliedStep {
  readonly kind: ObjectKind;
  readonly announced: boolean;
  readonly synced: boolean;
  /** Objects whose bytes could not be read. */
  readonly missing: readonly ObjectKey[];
}

type Refused = Extract<WriteResult, { accepted: false }>;

export class HeldCluster {
  readonly cluster: string;
  readonly #kinds = new Map<string, HeldKind>();
  #version: SnapshotVersion;
  #compared: SnapshotVersion | undefined;

  constructor(cluster: string, version: SnapshotVersion) {
    this.cluster = cluster;
    this.#version = version;
  }

  /** By `kindId`. */
  get kinds(): ReadonlyMap<string, HeldKind> {
    return this.#kinds;
  }

  get version(): SnapshotVersion {
    return this.#version;
  }

  /** The version that all data of the cluster belongs to; undefined before the first comparison. */
  get compared(): SnapshotVersion | undefined {
    return this.#compared;
  }

  get complete(): boolean {
    return isComplete([...this.#kinds.values()]);
  }

  find(key: ObjectKey): StoredObject | undefined {
    return this.#kinds.get(kindId(key))?.objects.get(entryId(key));
  }

  /** Number of objects and bytes. */
  get weight(): { readonly objects: number; readonly bytes: number } {
    const kinds = [...this.#kinds.values()];
    return {
      objects: kinds.reduce((sum, { size }) => sum + size, 0),
      bytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  /** Begins a term, or continues the present one. Kinds keep their objects and their sync state. */
  open({ term, kinds, resumed = false }: TermOpening): Refused | undefined {
    if (term < this.#version.term) return this.#refuse('older');
    if (term > this.#version.term) this.#version = { term, seq: 0 };
    if (resumed) this.#compared = this.#version;
    const named = new Set(kinds.map(kindId));
    for (const [id, held] of this.#kinds) if (!named.has(id)) held.retire();
    for (const kind of kinds) {
      const held = this.#kinds.get(kindId(kind)) ?? new HeldKind(kind);
      held.announce();
      this.#kinds.set(kindId(kind), held);
    }
    return undefined;
  }

  write(delta: SnapshotDelta): (AppliedStep & { readonly synced: boolean }) | Refused {
    if (delta.term > this.#version.term) return this.#refuse('not-opened');
    if (compareVersions(delta, this.#version) <= 0) return this.#refuse('older');
    const held = this.#kinds.get(kindId(delta.kind));
    if (held?.announced !== true) return this.#refuse('unannounced-kind');
    this.#version = { term: delta.term, seq: delta.seq };
    if (delta.inStep === true) this.#compared = this.#version;
    const step = held.apply(delta.upserts, delta.deletes);
    if (delta.synced) held.markSynced();
    return { ...step, synced: held.synced };
  }

  /** Applies a newer version from another replica. @returns the real changes, by kind */
  adopt(
    version: SnapshotVersion,
    compared: SnapshotVersion | undefined,
    kinds: readonly AdoptedKind[],
  ): ReadonlyArray<AppliedStep & { kind: ObjectKind }> {
    this.#version = version;
    this.#compared = compared;
    return kinds.map(({ kind, announced, synced, upserts, deletes, missing }) => {
      const held = this.#kinds.get(kindId(kind)) ?? new HeldKind(kind);
      this.#kinds.set(kindId(kind), held);
      const step = held.apply(upserts, deletes);
      held.setMissing(missing);
      held.stand(announced, synced);
      return { kind, ...step };
    });
  }

  snapshot(): Snapshot {
    return { ...this.#head(), kinds: this.#sorted().map((held) => held.snapshot()) };
  }

  digest(): SnapshotDigest {
    return { ...this.#head(), kinds: this.#sorted().map((held) => held.summary()) };
  }

  #head(): Omit<Snapshot, 'kinds'> {
    return { cluster: this.cluster, version: this.#version, complete: this.complete, compared: this.#compared };
  }

  #sorted(): readonly HeldKind[] {
    return [...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, held]) => held);
  }

  #refuse(reason: Refused['reason']): Refused {
    return { accepted: false, reason, known: this.#version };
  }
}
