/** Writes statuses: only changed ones, the latest of each object, with limited concurrency. */
import { isDeepStrictEqual } from 'node:util';
import { Backoff, type Clock, systemClock } from '@meshrelay/concurrency';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { KubeError } from '../errors.ts';
import { describe, type ObjectKey } from '../objects/resource-path.ts';
import { versionNumber } from '../objects/resource-version.ts';

/** Options of a writer. */
export interface StatusWriterOptions {
  readonly connection: KubeConnection;
  /** Field manager of the statuses in server-side apply; the same name for all replicas of a program. */
  readonly fieldManager: string;
  /** Maximum number of concurrent writes; 4 by default. */
  readonly concurrency?: number;
  /** Called for a status that the object rejects; it is not retried until it changes. */
  readonly onRefused?: (object: string, error: KubeError) => void;
  /** Called for each failed write that is retried. */
  readonly onRetry?: (object: string, error: KubeError) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** A status observed at the API server. */
export interface SeenStatus {
  readonly status: unknown;
  /** The resourceVersion of its object, as a number: see `versionNumber`. */
  readonly version: number;
}

interface Entry {
  readonly kind: ResourceKind;
  readonly key: ObjectKey;
  /** The desired status; may change during a write. */
  status: unknown;
  /** The status at the API server, as far as known: the written one, or one observed in a later version. */
  known: SeenStatus | undefined;
  readonly backoff: Backoff;
  phase: 'idle' | 'queued' | 'writing' | 'waiting';
}

/**
 * Call `set` as often as needed: equal statuses cost nothing, and of several only the last is written. There is at most
 * one entry per object; `forget` removes it. Temporary failures are retried with growing pauses, a missing object is
 * forgotten, a rejected status waits for its next change.
 */
export class StatusWriter implements AsyncDisposable {
  readonly #options: StatusWriterOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #queue = new Set<Entry>();
  readonly #stop = new AbortController();
  readonly #idle = new Set<() => void>();
  #writing = 0;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  /** Statuses that wait to be written, and pending writes. */
  get depth(): number {
    return this.#queue.size + this.#writing;
  }

  /**
   * Sets the desired status of the object. `live` is the status last observed by an informer, if any: an equal one
   * needs no write, and one that another writer changed is overwritten. A status from before the writer's last write is
   * ignored, since informers lag behind.
   */
  set(kind: ResourceKind, key: ObjectKey, status: unknown, live?: SeenStatus): void {
    if (this.#stop.signal.aborted) return;
    const entry = this.#entry(kind, key);
    entry.status = status;
    if (live !== undefined) learn(entry, live);
    this.#reconcile(entry);
  }

  /** An informer reports an object: a status that another writer changed is overwritten. */
  seen(kind: ResourceKind, key: ObjectKey, live: SeenStatus): void {
    const entry = this.#entries.get(idOf(kind, key));
    if (entry === undefined || this.#stop.signal.aborted) return;
    learn(entry, live);
    this.#reconcile(entry);
  }

  /** Stops writing for this object, because it was deleted or is no longer relevant. */
  forget(kind: ResourceKind, key: ObjectKey): void {
    const entry = this.#entries.get(idOf(kind, key));
    if (entry === undefined) return;
    this.#entries.delete(idOf(kind, key));
    this.#queue.delete(entry);
    entry.known = { status: entry.status, version: Number.POSITIVE_INFINITY };
  }

  /** Resolves when nothing is queued, pending or waiting for a retry. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.add(resolve);
      this.#notifyIdle();
    });
  }

  /** Stops: aborts pending writes and drops waiting ones. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#queue.clear();
    for (const entry of this.#entries.values()) if (entry.phase === 'queued') entry.phase = 'idle';
    await this.idle();
  }

  #entry(kind: ResourceKind, key: ObjectKey): Entry {
    const id = idOf(kind, key);
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      const backoff = new Backoff({ first: 1_000, longest: 60_000, random: this.#random });
      entry = { kind, key, status: undefined, known: undefined, backoff, phase: 'idle' };
      this.#entries.set(id, entry);
    }
    return entry;
  }

  #reconcile(entry: Entry): void {
    if (entry.phase === 'idle' && !isUpToDate(entry)) this.#enqueue(entry);
  }

  #enqueue(entry: Entry): void {
    entry.phase = 'queued';
    this.#queue.add(entry);
    this.#pump();
  }

  #pump(): void {
    while (this.#writing < (this.#options.concurrency ?? 4)) {
      const [entry] = this.#queue;
      if (entry === undefined) return;
      this.#queue.delete(entry);
      this.#writing++;
      void this.#write(entry).finally(() => {
        this.#writing--;
        this.#pump();
        this.#notifyIdle();
      });
    }
  }

  async #write(entry: Entry): Promise<void> {
    const { connection, fieldManager } = this.#options;
    const { kind, key, status } = entry;
    entry.phase = 'writing';
    try {
      const options = { fieldManager, force: true, signal: this.#stop.signal };
      const { metadata } = await connection.objects(kind).applyStatus(key, status, options);
      wrote(entry, status, metadata?.resourceVersion);
      entry.backoff.reset();
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#failed(entry, status, error);
    }
    if (entry.phase !== 'writing') return;
    entry.phase = 'idle';
    if (!this.#stop.signal.aborted) this.#reconcile(entry);
  }

  #failed(entry: Entry, status: unknown, error: unknown): void {
    const name = describe(entry.kind, entry.key);
    const failure =
      error instanceof KubeError ? error : new KubeError('RELAY_E_KUBE_INVALID', `${name}: ${String(error)}`);
    if (failure.code === 'RELAY_E_KUBE_NOT_FOUND') {
      this.forget(entry.kind, entry.key);
    } else if (failure.retry === 'never') {
      // Rejected: not retried until another status is set, or the object is another one.
      entry.known = { status, version: entry.known?.version ?? 0 };
      this.#options.onRefused?.(name, failure);
    } else {
      this.#options.onRetry?.(name, failure);
      entry.phase = 'waiting';
      void this.#again(entry, entry.backoff.next(failure.retryAfter));
    }
  }

  async #again(entry: Entry, pause: number): Promise<void> {
    await this.#clock.sleep(pause, this.#stop.signal);
    entry.phase = 'idle';
    if (!this.#stop.signal.aborted) this.#reconcile(entry);
    this.#notifyIdle();
  }

  #notifyIdle(): void {
    if (this.depth > 0) return;
    for (const { phase } of this.#entries.values()) if (phase === 'waiting') return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}

/** Records an observed status, unless the known one is as new. */
function learn(entry: Entry, seen: SeenStatus): void {
  if (entry.known === undefined || seen.version > entry.known.version) entry.known = seen;
}

/**
 * Records a written status, unless a later one was observed meanwhile. Of the same version, the written status takes
 * precedence. The API server may drop fields unknown to its schema, and writing them again would change nothing.
 */
function wrote(entry: Entry, status: unknown, resourceVersion: string | undefined): void {
  const before = entry.known?.version ?? 0;
  const version = resourceVersion === undefined ? before : versionNumber(resourceVersion);
  if (version >= before) entry.known = { status, version };
}

function isUpToDate({ status, known }: Entry): boolean {
  return known !== undefined && isDeepStrictEqual(status, known.status);
}

function idOf({ group, kind }: ResourceKind, { namespace, name }: ObjectKey): string {
  return `${kind}.${group}/${namespace ?? ''}/${name}`;
}
