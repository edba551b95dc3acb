/** Writes statuses: only what changed, the latest of each object, a few at a time. */
import { isDeepStrictEqual } from 'node:util';
import type { ResourceKind } from '@meshrelay/relay-core';
import { Backoff } from '../backoff.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { KubeError } from '../errors.ts';
import { describe, type ObjectKey } from '../objects/resource-path.ts';
import { versionNumber } from '../objects/resource-version.ts';

/** Settings of a writer. */
export interface StatusWriterOptions {
  readonly connection: KubeConnection;
  /** Owns the status fields by server-side apply; one name for all replicas of a program. */
  readonly fieldManager: string;
  /** Writes under way at once; 4 by default. */
  readonly concurrency?: number;
  /** Told of a status that was given up until it changes: the object refuses it. */
  readonly onRefused?: (object: string, error: KubeError) => void;
  /** Told of each write that failed and is repeated. */
  readonly onRetry?: (object: string, error: KubeError) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** A status as somebody has seen it at the API server. */
export interface SeenStatus {
  readonly status: unknown;
  /** The resourceVersion of the object that had it, as a number: see `versionNumber`. */
  readonly version: number;
}

interface Entry {
  readonly kind: ResourceKind;
  readonly key: ObjectKey;
  /** What is wanted; may change while a write is under way. */
  status: unknown;
  /** What the API server has, as far as known: what was written, or what was seen of a later version. */
  known: SeenStatus | undefined;
  readonly backoff: Backoff;
  phase: 'idle' | 'queued' | 'writing' | 'waiting';
}

/**
 * `set` as often as you like: equal statuses cost nothing, of several only the last is written. At most one entry an
 * object is kept; `forget` ends it. Failures that may pass are repeated with growing pauses, a missing object is
 * forgotten, a refused status waits for its next change.
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

  /** Statuses waiting to be written, and under way. */
  get depth(): number {
    return this.#queue.size + this.#writing;
  }

  /**
   * Wants this status on the object. `live` is what an informer has seen last, if anything: equal to it nothing is written, and a live status that somebody
   * else changed is written over. One from before our own last write says nothing: informers lag behind.
   */
  set(kind: ResourceKind, key: ObjectKey, status: unknown, live?: SeenStatus): void {
    if (this.#stop.signal.aborted) return;
    const entry = this.#entry(kind, key);
    entry.status = status;
    if (live !== undefined) learn(entry, live);
    this.#bring(entry);
  }

  /** An informer tells of an object: where somebody changed a status that is wanted otherwise, it is written over. */
  seen(kind: ResourceKind, key: ObjectKey, live: SeenStatus): void {
    const entry = this.#entries.get(idOf(kind, key));
    if (entry === undefined || this.#stop.signal.aborted) return;
    learn(entry, live);
    this.#bring(entry);
  }

  /** Writes no more for this object, because it or our interest in it is gone. */
  forget(kind: ResourceKind, key: ObjectKey): void {
    const entry = this.#entries.get(idOf(kind, key));
    if (entry === undefined) return;
    this.#entries.delete(idOf(kind, key));
    this.#queue.delete(entry);
    entry.known = { status: entry.status, version: Number.POSITIVE_INFINITY };
  }

  /** Resolves when nothing is queued, under way or waiting for a repetition. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.add(resolve);
      this.#notifyIdle();
    });
  }

  /** Stops: what is under way is aborted, what waits is dropped. */
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

  #bring(entry: Entry): void {
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
    if (!this.#stop.signal.aborted) this.#bring(entry);
  }

  #failed(entry: Entry, status: unknown, error: unknown): void {
    const name = describe(entry.kind, entry.key);
    const failure =
      error instanceof KubeError ? error : new KubeError('RELAY_E_KUBE_INVALID', `${name}: ${String(error)}`);
    if (failure.code === 'RELAY_E_KUBE_NOT_FOUND') {
      this.forget(entry.kind, entry.key);
    } else if (failure.retry === 'never') {
      // Refused: not tried again until another status is wanted, or the object is another.
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
    if (!this.#stop.signal.aborted) this.#bring(entry);
    this.#notifyIdle();
  }

  #notifyIdle(): void {
    if (this.depth > 0) return;
    for (const { phase } of this.#entries.values()) if (phase === 'waiting') return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}

/** Takes up what was seen, unless as much or more is known. */
function learn(entry: Entry, seen: SeenStatus): void {
  if (entry.known === undefined || seen.version > entry.known.version) entry.known = seen;
}

/**
 * Takes up what was written, unless something later was seen meanwhile. Of the same version what was written goes before what was seen: the API server may
 * leave out what its schema does not know, and writing that again would change nothing.
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
