/** The fleet: the graph, the snapshots it is fed from, and how far each input has come. */
import {
  type ChangeSet,
  type ControlPlane,
  createControlPlane,
  createGraph,
  deleteObject,
  key,
  type LoadedPlugin,
  setObject,
  type Transaction,
  type World,
} from '@meshrelay/relay-core';
import type { InputBatch, InputVersion, Refusal } from '@meshrelay/relay-protocol';
import type { SnapshotStore } from '@meshrelay/store';
import type { Logger } from '@meshrelay/telemetry';
import { decodeEnvelope } from '../input/decode-envelope.ts';
import { CommitLoop } from './commit-loop.ts';
import { sha256 } from './hash.ts';

export interface FleetOptions {
  readonly plugins: readonly LoadedPlugin[];
  /** The management namespace. */
  readonly namespace: string;
  readonly store: SnapshotStore;
  readonly logger: Logger;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** What is known of how far a cluster's inputs have come. */
export interface ClusterProgress {
  readonly version: InputVersion;
  /** Whether every kind its agent tells of is known in full. */
  readonly complete: boolean;
}

/** Called after each commit with what changed. */
export type FleetListener = (changes: ChangeSet) => void;

export class Fleet {
  readonly controlPlane: ControlPlane;
  readonly #store: SnapshotStore;
  readonly #logger: Logger;
  readonly #loop: CommitLoop;
  readonly #progress = new Map<string, ClusterProgress>();
  readonly #listeners = new Set<FleetListener>();

  constructor({ plugins, namespace, store, logger, now }: FleetOptions) {
    const graph = createGraph();
    this.controlPlane = createControlPlane(graph, { plugins, hash: sha256, namespace });
    this.#store = store;
    this.#logger = logger;
    this.#loop = new CommitLoop(graph, now);
    graph.subscribe((changes) => {
      for (const listener of this.#listeners) listener(changes);
    });
  }

  get world(): World {
    return this.controlPlane.world;
  }

  /** Writes waiting for their commit. */
  get depth(): number {
    return this.#loop.depth;
  }

  /** How far each cluster that was ever heard of has come. */
  get progress(): ReadonlyMap<string, ClusterProgress> {
    return this.#progress;
  }

  /** @returns what ends it */
  listen(listener: FleetListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes the world. Resolves once everything that follows is up to date. */
  write(write: (transaction: Transaction, world: World) => void): Promise<ChangeSet> {
    return this.#loop.write((transaction) => write(transaction, this.world));
  }

  /** Takes up what the store kept from before this process, so that a restart with a store loses nothing. */
  async restore(): Promise<void> {
    for (const cluster of await this.#store.clusters()) {
      const snapshot = await this.#store.read(cluster);
      if (snapshot === undefined) continue;
      await this.write((transaction, world) => {
        for (const { objects } of snapshot.kinds) {
          for (const stored of objects) {
            const { object } = decodeEnvelope(stored);
            if (object !== undefined) setObject(transaction, world, cluster, object);
          }
        }
      });
      this.#progress.set(cluster, { version: snapshot.version, complete: snapshot.complete });
    }
  }

  /** A term of a cluster's agent begins. */
  async open(cluster: string, term: number, kinds: InputBatch['kind'][]): Promise<void> {
    await this.#store.open({ cluster, term, kinds });
  }

  /** Takes a batch of an agent: into the store, then into the graph. Gives what was refused; the rest is in. */
  async accept(batch: InputBatch): Promise<readonly Refusal[]> {
    const decoded = batch.upserts.map((envelope) => ({ envelope, ...decodeEnvelope(envelope) }));
    const { cluster, term, seq, kind, deletes, synced } = batch;
    const good = decoded.filter(({ object }) => object !== undefined).map(({ envelope }) => envelope);
    const verdict = await this.#store.write({ cluster, term, seq, kind, upserts: good, deletes, synced });
    if (!verdict.accepted)
      throw new Error(`the store refused inputs ${term}/${seq} of cluster ${cluster}: ${verdict.reason}`);
    const complete = (await this.#store.digest(cluster))?.complete ?? false;
    await this.write((transaction, world) => {
      this.#progress.set(cluster, { version: { term, seq }, complete });
      for (const { object } of decoded) if (object !== undefined) setObject(transaction, world, cluster, object);
      for (const name of deletes) deleteObject(transaction, world, cluster, name);
    });
    const refusals = decoded.flatMap(({ refusal }) => refusal ?? []);
    for (const { key: refused, code, reason } of refusals)
      this.#logger.warn('input object refused', { cluster, ...refused, code, reason });
    return refusals;
  }

  /** Forgets a cluster whose registration ended. */
  async forget(cluster: string): Promise<void> {
    const snapshot = await this.#store.read(cluster);
    await this.#store.remove(cluster);
    await this.write((transaction, world) => {
      this.#progress.delete(cluster);
      for (const { objects } of snapshot?.kinds ?? [])
        for (const stored of objects) deleteObject(transaction, world, cluster, stored);
    });
  }

  /** True for a cluster that is registered. */
  isRegistered(cluster: string): boolean {
    return this.world.clusters.has(key(cluster));
  }
}
