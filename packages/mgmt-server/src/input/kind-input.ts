/**
 * One kind of the management cluster: watched into the fleet state, and never considered empty before its first
 * complete list.
 */
import { decodeObject, type KindName, type KubeObject, type Report, type ShapeProblem } from '@meshrelay/api';
import { Backoff, systemClock } from '@meshrelay/concurrency';
import {
  type KindState,
  type KindWatch,
  type KubeConnection,
  meshrelayKind,
  type ObjectKey,
  pagedList,
  versionNumber,
  watchKind,
} from '@meshrelay/kube';
import {
  deleteObject,
  type FleetState,
  MANAGEMENT_CLUSTER,
  setObject,
  setUnreadable,
  type Transaction,
  withoutNoise,
} from '@meshrelay/relay-core';
import { type InputVersion, inputName } from '@meshrelay/relay-protocol';
import { type Logger, type Tracer, traceOf } from '@meshrelay/telemetry';
import type { Fleet } from '../store/fleet.ts';
import { OBSERVED } from '../store/input-cause.ts';
import { collectionVersion } from './collection-version.ts';
import { ContentDigest } from './content-digest.ts';

export interface KindInputOptions {
  readonly kind: KindName;
  readonly connection: KubeConnection;
  readonly fleet: Fleet;
  /** All namespaces when omitted. */
  readonly namespace?: string | undefined;
  /** Whether one unreadable object makes the whole kind unsynced. An unreadable policy does not affect the rest. */
  readonly indispensable: boolean;
  readonly tracer: Tracer;
  readonly logger: Logger;
  /** Receives each object of the API server when the watch delivers it. */
  readonly seen?: (kind: KindName, key: ObjectKey, live: LiveObject) => void;
  /** Called after the changes of one tick are in the graph. */
  readonly changed: () => void;
}

/** An object at the API server, in addition to its state in the graph. */
export interface LiveObject {
  readonly version: number;
  readonly generation: number | undefined;
  readonly status: unknown;
  /** Why it cannot be read; empty if it can. */
  readonly problems: readonly ShapeProblem[];
}

/** An object at the API server, and its parsed form. */
interface ReadObject {
  readonly raw: KubeObject;
  readonly object?: KubeObject;
  /** Invalid values. */
  readonly faults?: readonly Report[];
  readonly problems: readonly ShapeProblem[];
}

/** The changes of one tick. */
interface Step {
  upserts: KubeObject[];
  readonly removals: Set<string>;
  /** The changes are the complete list. */
  whole: boolean;
  synced: boolean;
}

/** Minimum milliseconds between two lists that are made because an agent has newer versions. */
const REFRESH_PAUSE = 5_000;

export class KindInput implements AsyncDisposable {
  readonly kind: KindName;
  readonly #options: KindInputOptions;
  readonly #live = new Map<string, LiveObject>();
  readonly #unreadable = new Set<string>();
  readonly #digest = new ContentDigest();
  readonly #stop = new AbortController();
  readonly #started: Promise<void>;
  #watch: KindWatch | undefined;
  #step: Step | undefined;
  #version: InputVersion = { term: 0, seq: 0 };
  #synced = false;
  #absent = false;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #refreshing = false;

  constructor(options: KindInputOptions) {
    this.kind = options.kind;
    this.#options = options;
    this.#started = this.#start();
  }

  /** Why the kind is not synced; undefined if it is. */
  get unknown(): string | undefined {
    if (this.#absent) return 'its CRD is gone; install it again';
    if (!this.#synced) return 'it has not been listed yet';
    if (this.#options.indispensable && this.#unreadable.size > 0)
      return `${[...this.#unreadable].join(', ')} cannot be read; correct or delete it`;
    return undefined;
  }

  /**
   * Content digest of the kind's objects in the graph; undefined before the sync, and while an object cannot be read.
   */
  get digest(): string | undefined {
    return this.#synced ? this.#digest.value : undefined;
  }

  /**
   * Number of unreadable objects. The last accepted state of policies stays effective, and the last good state of other
   * kinds.
   */
  get unreadable(): number {
    return this.#unreadable.size;
  }

  /**
   * Version of the kind in the graph: the newest resourceVersion as the term, and the number of deletions seen since,
   * which have no version of their own. Starts at the collection's version, so that a restart is never behind earlier
   * state.
   */
  get version(): InputVersion {
    return this.#version;
  }

  /** The API server's state of an object, as far as known. */
  live(key: ObjectKey): LiveObject | undefined {
    return this.#live.get(idOf(key));
  }

  /** All objects of the API server, readable or not. */
  *objects(): Generator<[ObjectKey, LiveObject]> {
    for (const [id, live] of this.#live) yield [nameOf(id), live];
  }

  /** Ingests an object that this process has just written, before the watch delivers it. */
  take(object: KubeObject): Promise<unknown> {
    return this.#commit({ upserts: [object], removals: new Set(), whole: false, synced: false });
  }

  /**
   * Lists everything again until that succeeds: for when an agent has seen newer versions than this process. Skipped
   * while it runs, and shortly after the last time.
   */
  async refresh(now: number): Promise<void> {
    if (this.#refreshing || now - this.#refreshedAt < REFRESH_PAUSE || this.unknown !== undefined) return;
    this.#refreshedAt = now;
    this.#refreshing = true;
    await this.#untilDone('management list failed', () => this.#relist());
    this.#refreshing = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#started;
    await this.#watch?.[Symbol.asyncDispose]();
  }

  /** Reads the collection's version before the list, so that the list is at least as new; then watches. */
  #start(): Promise<void> {
    const { kind, connection, namespace } = this.#options;
    const { signal } = this.#stop;
    return this.#untilDone('management kind cannot be listed', async () => {
      this.#version = { term: await collectionVersion(connection, meshrelayKind(kind), namespace, signal), seq: 0 };
      if (!signal.aborted) this.#watch = this.#newWatch();
    });
  }

  async #relist(): Promise<void> {
    const { connection, namespace } = this.#options;
    const options = { namespace, take: (object: KubeObject) => object, signal: this.#stop.signal };
    const { resourceVersion, items } = await pagedList(connection, meshrelayKind(this.kind), options);
    const listed = versionNumber(resourceVersion);
    const there = new Set(items.map(({ metadata }) => idOf(metadata)));
    const gone = [...this.#live].filter(([id, { version }]) => version <= listed && !there.has(id));
    const removals = new Set(gone.map(([id]) => id));
    await this.#commit({ upserts: items, removals, whole: false, synced: false }, listed);
  }

  /** Retries until done or disposed. No later event would trigger another attempt. */
  async #untilDone(problem: string, work: () => Promise<void>): Promise<void> {
    const { kind, logger } = this.#options;
    const { signal } = this.#stop;
    const failures = new Backoff({ first: 500, longest: 10_000, random: Math.random });
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) return;
        const delay = failures.next();
        logger.warn(problem, { kind, delay: Math.round(delay), error });
        await systemClock.sleep(delay, signal);
      }
    }
  }

  #newWatch(): KindWatch {
    const { kind, connection, namespace } = this.#options;
    const sink = {
      transact: (body: () => void) => {
        this.#step = { upserts: [], removals: new Set(), whole: false, synced: false };
        body();
        const step = this.#step;
        this.#step = undefined;
        // The watch state, reported right after, shows whether an empty kind still exists.
        queueMicrotask(() => void this.#settle(step));
      },
      replaceAll: (objects: readonly KubeObject[]) => this.#into({ upserts: [...objects], whole: true }),
      upsert: (object: KubeObject) => this.#step?.upserts.push(object),
      remove: (key: ObjectKey) => this.#step?.removals.add(idOf(key)),
      synced: () => this.#into({ synced: true }),
    };
    const observer = { state: (state: KindState) => this.#entered(state) };
    return watchKind(connection, meshrelayKind(kind), sink, {
      ...(namespace === undefined ? {} : { namespace }),
      observer,
    });
  }

  #into(change: Partial<Pick<Step, 'upserts' | 'whole' | 'synced'>>): void {
    if (this.#step !== undefined) Object.assign(this.#step, change);
  }

  #entered(state: KindState): void {
    const { kind, logger, changed } = this.#options;
    const absent = this.#absent;
    if (state.phase === 'absent') this.#absent = true;
    if (state.phase === 'watching') this.#absent = false;
    if (state.phase === 'retrying') logger.warn('management watch failed', { kind, error: state.error });
    if (absent === this.#absent) return;
    if (this.#absent) logger.error('a CRD was deleted; the known objects of its kind stay in use', { kind });
    changed();
  }

  async #settle(step: Step): Promise<void> {
    // Without its CRD a kind has no objects, which says nothing about earlier ones: the last state stays.
    if (this.#absent && step.whole) return;
    const { kind, logger, changed } = this.#options;
    try {
      await this.#commit(step);
      changed();
    } catch (error) {
      logger.error('management input failed', { kind, error });
    }
  }

  async #commit(step: Step, listed = 0): Promise<void> {
    const removals = this.#removed(step);
    // Objects that this process ingested ahead of the watch may be newer than the watch event.
    const fresh = step.upserts.filter(({ metadata }) => !this.#isOlder(metadata));
    const found = fresh.map((raw) => this.#read(raw));
    for (const { raw, problems } of found) {
      const { metadata, status } = raw;
      const version = versionNumber(metadata.resourceVersion);
      const live: LiveObject = { version, generation: metadata.generation, status, problems };
      this.#live.set(idOf(metadata), live);
      this.#options.seen?.(this.kind, metadata, live);
    }
    const group = meshrelayKind(this.kind).group;
    const newest = Math.max(listed, ...fresh.map(({ metadata }) => versionNumber(metadata.resourceVersion)));
    const moved = (): InputVersion => {
      const { term, seq } = this.#version;
      return newest > term ? { term: newest, seq: 0 } : { term, seq: seq + removals.length };
    };
    const { fleet, tracer } = this.#options;
    const input = inputName(componentOf(this.kind), moved());
    const attributes = { input, upserts: found.length, deletes: removals.length };
    const takeAll = (transaction: Transaction, fleetState: FleetState): void => {
      for (const { object, faults, raw, problems } of found)
        if (object !== undefined) setObject(transaction, fleetState, MANAGEMENT_CLUSTER, object, faults);
        else setUnreadable(transaction, fleetState, MANAGEMENT_CLUSTER, raw, problems);
    };
    const deleteAll = (transaction: Transaction, fleetState: FleetState): void => {
      for (const id of removals)
        deleteObject(transaction, fleetState, MANAGEMENT_CLUSTER, { ...nameOf(id), group, kind: this.kind });
    };
    const published = (): void => {
      this.#version = moved();
      for (const id of removals) this.#digest.delete(id);
      for (const { raw, object } of found) this.#digest.set(idOf(raw.metadata), object);
      if (step.synced) this.#synced = true;
    };
    const write = (): Promise<unknown> => {
      // A list shows only absence; deletions are seen only between lists.
      if (removals.length === 0 || step.synced || step.whole || listed > 0) {
        const both = (transaction: Transaction, fleetState: FleetState): void => {
          deleteAll(transaction, fleetState);
          takeAll(transaction, fleetState);
        };
        return fleet.write(both, published);
      }
      // Both are requested synchronously: the next tick must find both before its own.
      const taken = found.length > 0 ? fleet.write(takeAll) : undefined;
      return Promise.all([taken, fleet.write(deleteAll, published, OBSERVED)]);
    };
    await tracer.span('store.accept', { attributes, parent: traceOf(input) }, write);
  }

  /** Known objects that are gone; a recreated object is not. */
  #removed({ upserts, removals, whole }: Step): string[] {
    const there = new Set(upserts.map(({ metadata }) => idOf(metadata)));
    const gone = (whole ? [...this.#live.keys()] : [...removals]).filter((id) => !there.has(id));
    for (const id of gone) {
      this.#live.delete(id);
      this.#unreadable.delete(id);
    }
    return gone;
  }

  #isOlder(metadata: KubeObject['metadata']): boolean {
    const known = this.#live.get(idOf(metadata));
    return known !== undefined && versionNumber(metadata.resourceVersion) < known.version;
  }

  /**
   * The object for the fleet state, without fields that the server's own statuses change. Ledgers keep the
   * resourceVersion for their next write.
   */
  #read(raw: KubeObject): ReadObject {
    const id = idOf(raw.metadata);
    const { object, reports, problems } = decodeObject(raw, { unknownFields: 'prune' });
    if (object !== undefined) {
      this.#unreadable.delete(id);
      return { raw, object: this.kind === 'Ledger' ? object : withoutNoise(object), faults: reports, problems: [] };
    }
    this.#unreadable.add(id);
    this.#options.logger.error('a management object cannot be read; its last valid state stays in use', {
      kind: this.kind,
      object: id,
      problems: problems.map(({ message }) => message),
    });
    return { raw, problems };
  }
}

/** The kind's name in vectors, which is not a valid cluster name. */
export function componentOf(kind: string): string {
  return `/${kind}`;
}

function idOf({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

function nameOf(id: string): { readonly namespace: string; readonly name: string } {
  const slash = id.indexOf('/');
  return { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}
