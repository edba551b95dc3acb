/**
 * Keeps a sink in sync with all objects of one kind, through failures of the API server and changes of permissions and
 * CRDs.
 */
import type { KubeObject } from '@meshrelay/api';
import { Backoff, type Clock, systemClock } from '@meshrelay/concurrency';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { isKubeError, KubeError } from '../errors.ts';
import { servesKind } from '../objects/discovery.ts';
import type { ObjectKey } from '../objects/resource-path.ts';
import { answerError, idleTimeoutError } from '../status-error.ts';
import { type ObjectVersion, withoutManagedFields } from './cache-entry.ts';
import { giveAll } from './change-batch.ts';
import { type InformerOptions, KindInformer } from './kind-informer.ts';
import type { KindSink } from './kind-sink.ts';
import type { KindState, WatchObserver } from './kind-state.ts';

/** Options of a watch. */
export interface WatchOptions {
  /** All namespaces by default. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Converts each object on arrival to its stored form; default: without managedFields. */
  readonly transform?: (object: KubeObject) => KubeObject;
  readonly observer?: WatchObserver;
  readonly clock?: Clock;
  /** A number in [0, 1) for the jitter of attempts. */
  readonly random?: () => number;
  /** Instead of the API server, for tests. */
  readonly list?: InformerOptions['list'];
  readonly openWatch?: InformerOptions['openWatch'];
  readonly serves?: (signal: AbortSignal) => Promise<boolean>;
}

/** Pause between two discovery requests that must agree before a kind counts as absent. */
const confirmation = 500;

/** A watch that lasted this long was healthy: the pauses after its end start again at the first one. */
const healthy = 30_000;

/** Starts watching a kind into a sink, until disposed. */
export function watchKind(
  connection: KubeConnection,
  kind: ResourceKind,
  sink: KindSink,
  options: WatchOptions = {},
): KindWatch {
  return new KindWatch(connection, kind, sink, options);
}

/** A watch of one kind. */
export class KindWatch implements AsyncDisposable {
  readonly kind: ResourceKind;
  /** Resolves at the first complete list; pending until then. */
  readonly synced: Promise<void>;
  readonly #connection: KubeConnection;
  readonly #sink: KindSink;
  readonly #options: WatchOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #failures: Backoff;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #markSynced: () => void = () => {};
  #wake = new AbortController();
  #informer: KindInformer | undefined;
  #state: KindState = { phase: 'starting' };
  #complete = false;

  constructor(connection: KubeConnection, kind: ResourceKind, sink: KindSink, options: WatchOptions) {
    this.kind = kind;
    this.#connection = connection;
    this.#sink = sink;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#failures = new Backoff({ first: 1_000, longest: 30_000, random: this.#random });
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
    this.#ended = this.#run();
  }

  /** State of the watch. */
  get state(): KindState {
    return this.#state;
  }

  /** Whether the sink got a complete list, which may be outdated while `state` is `retrying`. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Number of known objects. */
  get size(): number {
    return this.#informer?.size ?? 0;
  }

  /** The last seen uid and resourceVersion of an object: preconditions of a write. */
  versionOf(key: ObjectKey): ObjectVersion | undefined {
    return this.#informer?.version(key);
  }

  /** Retries at once instead of after the current pause; called when CRDs or permissions changed. */
  recheck(): void {
    this.#wake.abort();
  }

  /** Stops watching; the sink keeps its content and gets no further call. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    this.#informer?.stop();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // The sink may have thrown at any time, also during the last pause.
      if (this.#informer?.broken) this.#dropInformer();
      this.#informer ??= this.#newInformer();
      const started = this.#clock.now();
      const failure = await this.#informer.untilFailure();
      if (this.#stop.signal.aborted) return;
      if (this.#clock.now() - started >= healthy) this.#failures.reset();
      const error = asError(this.kind, failure);
      if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND') && (await this.#provenAbsent())) await this.#whileAbsent();
      else await this.#pauseAfter(error);
    }
  }

  #newInformer(): KindInformer {
    const { namespace, labelSelector, fieldSelector, transform = withoutManagedFields, observer = {} } = this.#options;
    return new KindInformer({
      connection: this.#connection,
      kind: this.kind,
      namespace,
      labelSelector,
      fieldSelector,
      transform,
      sink: this.#sink,
      observer,
      clock: this.#clock,
      random: this.#random,
      list: this.#options.list,
      openWatch: this.#options.openWatch,
      onComplete: () => this.#completed({ phase: 'watching' }),
      onOpened: () => {
        if (this.#state.phase !== 'watching') this.#enter({ phase: 'watching' });
      },
    });
  }

  #dropInformer(): void {
    this.#informer?.stop();
    this.#informer = undefined;
  }

  #completed(state: KindState): void {
    this.#complete = true;
    this.#enter(state);
    this.#markSynced();
  }

  async #pauseAfter(error: Error): Promise<void> {
    const pause = this.#failures.next(error instanceof KubeError ? error.retryAfter : undefined);
    this.#enter({ phase: 'retrying', error, failures: this.#failures.failures });
    await this.#sleep(pause);
  }

  /** Whether two discovery requests, with a pause in between, report that the server does not have the kind. */
  async #provenAbsent(): Promise<boolean> {
    if ((await this.#discover()) !== false) return false;
    await this.#sleep(confirmation);
    return !this.#stop.signal.aborted && (await this.#discover()) === false;
  }

  /** An absent kind has no objects: the set is complete and empty until the kind appears. */
  async #whileAbsent(): Promise<void> {
    this.#dropInformer();
    this.#failures.reset();
    giveAll(this.#sink, []);
    this.#completed({ phase: 'absent' });
    const pauses = new Backoff({ first: 2_000, longest: 30_000, random: this.#random });
    for (;;) {
      await this.#sleep(pauses.next());
      if (this.#stop.signal.aborted) return;
      const served = await this.#discover();
      if (served === true) break;
      this.#enter(
        served === false ? { phase: 'absent' } : { phase: 'retrying', error: served, failures: pauses.failures },
      );
    }
    this.#complete = false;
    this.#enter({ phase: 'starting' });
  }

  /** Whether the server has the kind, or why this is unknown. */
  async #discover(): Promise<boolean | Error> {
    const { signal } = this.#stop;
    try {
      return await (this.#options.serves?.(signal) ?? servesKind(this.#connection, this.kind, signal));
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    this.#wake = new AbortController();
    if (this.#stop.signal.aborted) return;
    await this.#clock.sleep(milliseconds, this.#wake.signal);
  }

  #enter(state: KindState): void {
    this.#state = state;
    this.#options.observer?.state?.(state);
  }
}

/** Assigns the codes of this package to failures of the client's watch, which have an HTTP status or nothing. */
function asError(kind: ResourceKind, failure: unknown): Error {
  if (failure instanceof KubeError) return failure;
  const what = `watch ${kind.plural}`;
  const { statusCode, message } = failure as { statusCode?: number; message?: string };
  return statusCode === undefined
    ? idleTimeoutError(what, failure)
    : answerError(what, { status: statusCode, body: message ?? '' });
}
