/** Serializes all changes of the graph: concurrent writes with one cause share a commit, and long commits yield. */
import {
  type ChangeSet,
  type Graph,
  GraphError,
  isBroken,
  type Transaction,
  type YieldOptions,
} from '@meshrelay/relay-core';
import { EDIT, type InputCause, isSameCause } from './input-cause.ts';

/** A change of the fleet state, with side effects that apply with it. */
export interface Write {
  /** Writes into the sources. An exception undoes this write and no other. */
  readonly into: (transaction: Transaction) => void;
  /**
   * Called when the commit is finished, before its listeners: for facts that must not be visible before their objects.
   */
  readonly published?: (() => void) | undefined;
  readonly cause: InputCause;
}

interface Waiting {
  readonly write: Write;
  readonly done: (changes: ChangeSet) => void;
  readonly failed: (error: unknown) => void;
}

interface Apart {
  readonly run: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Milliseconds that a commit may block the thread before leases, health checks and streams run. */
const SLICE_MS = 5;

export class CommitLoop {
  readonly #graph: Graph;
  readonly #yieldOptions: YieldOptions;
  readonly #rest: (enough: () => boolean) => boolean;
  #waiting: Waiting[] = [];
  /** Work that commits by itself, and waits until no write is being committed. */
  #apart: Apart[] = [];
  #committing: readonly Waiting[] = [];
  #cause: InputCause = EDIT;
  #running = false;
  #unfinished = 0;
  readonly #broken = new AbortController();

  /**
   * @param now monotonic milliseconds
   * @param rest work between commits, until it is done or `enough` returns true; returns true once it is done
   */
  constructor(graph: Graph, now: () => number, rest: (enough: () => boolean) => boolean = () => true) {
    this.#rest = rest;
    this.#graph = graph;
    this.#yieldOptions = { sliceMs: SLICE_MS, now, pause: () => new Promise((resume) => setImmediate(resume)) };
    graph.subscribe(() => {
      for (const { write } of this.#committing) write.published?.();
    });
  }

  /** Writes that wait for their commit. */
  get depth(): number {
    return this.#waiting.length;
  }

  /** Writes that wait for their commit or are being committed: their effects are not visible yet. */
  get unfinished(): number {
    return this.#unfinished;
  }

  /** Cause of the commit whose listeners run. */
  get cause(): InputCause {
    return this.#cause;
  }

  /**
   * Aborted, with the reason, once no write can be committed any more: after a fault of the graph itself, or of the
   * work between commits.
   */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /**
   * Resolves with the changes once everything derived from the write is up to date. Rejects with the write's own error.
   */
  write(write: Write): Promise<ChangeSet> {
    if (this.broken.aborted) return Promise.reject(this.broken.reason);
    this.#unfinished++;
    const written = new Promise<ChangeSet>((done, failed) => {
      this.#waiting.push({ write, done, failed });
      if (!this.#running) this.#start();
    });
    return written.finally(() => this.#unfinished--);
  }

  /** Runs work that commits by itself, between the commits of writes. */
  apart<T>(run: (yieldOptions: YieldOptions) => Promise<T>): Promise<T> {
    if (this.broken.aborted) return Promise.reject(this.broken.reason);
    return new Promise((done, failed) => {
      const fail = (error: unknown): void => {
        if (isBroken(error)) this.#break(error);
        failed(error);
      };
      this.#apart.push({ run: () => run(this.#yieldOptions).then(done, fail), failed });
      if (!this.#running) this.#start();
    });
  }

  #start(): void {
    this.#run().catch((error) => this.#break(error));
  }

  /** Commits nothing from here on, and rejects all waiting writes with the reason. */
  #break(error: unknown): void {
    const waiting = [...this.#apart, ...this.#waiting];
    this.#apart = [];
    this.#waiting = [];
    this.#broken.abort(error);
    for (const { failed } of waiting) failed(error);
  }

  async #run(): Promise<void> {
    this.#running = true;
    await Promise.resolve();
    while (this.#isRequested()) {
      await this.#runApart();
      if (this.#waiting.length > 0) await this.#commit(this.#takeBatch());
      await this.#waitUntilRequested();
    }
    this.#running = false;
  }

  #isRequested(): boolean {
    return this.#waiting.length + this.#apart.length > 0;
  }

  async #runApart(): Promise<void> {
    const apart = this.#apart;
    this.#apart = [];
    this.#committing = [];
    for (const { run } of apart) await run();
  }

  /** The first waiting writes that share one cause. */
  #takeBatch(): readonly Waiting[] {
    const { cause } = (this.#waiting[0] as Waiting).write;
    const other = this.#waiting.findIndex(({ write }) => !isSameCause(write.cause, cause));
    const batch = other < 0 ? this.#waiting : this.#waiting.slice(0, other);
    this.#waiting = other < 0 ? [] : this.#waiting.slice(other);
    this.#cause = cause;
    return batch;
  }

  /** Does the work between commits, in slices, until none is left or a commit is requested. */
  async #waitUntilRequested(): Promise<void> {
    const { now, sliceMs, pause } = this.#yieldOptions;
    while (!this.#isRequested()) {
      await pause();
      const end = now() + sliceMs;
      if (!this.#isRequested() && this.#rest(() => now() >= end)) return;
    }
  }

  /**
   * Commits writes together. If one of them throws, nothing is committed and each is tried alone: a bad write fails no
   * other.
   */
  async #commit(batch: readonly Waiting[]): Promise<void> {
    this.#committing = batch;
    try {
      const changes = await this.#graph.commitYielding((transaction) => {
        for (const { write } of batch) write.into(transaction);
      }, this.#yieldOptions);
      for (const { done } of batch) done(changes);
    } catch (error) {
      if (isBroken(error)) this.#break(error);
      if (batch.length > 1 && isRolledBack(error)) for (const one of batch) await this.#commit([one]);
      else for (const { failed } of batch) failed(error);
    }
  }
}

/** Whether a failed commit was rolled back, so that its parts may be tried again. */
function isRolledBack(error: unknown): boolean {
  return !isBroken(error) && !(error instanceof GraphError && error.code === 'GRAPH_E_LISTENER');
}
