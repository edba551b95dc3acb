/**
 * Leader: records on each object how far Envoys have acknowledged it, and which workloads have pods whose Envoys are
 * not connected. It queries every replica, since each knows only its own Envoys. An acknowledged object is recorded as
 * a generation, so nothing is written while nothing changes.
 */
import {
  MAX_LAGGING_WORKLOADS,
  MAX_SILENT_REPLICAS,
  type XdsAcknowledgement,
  type XdsWorkloadCount,
} from '@meshrelay/api';
import { type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import { isKubeError, type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { canonicalJson } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { type EnvoyAnswer, type EnvoyQuestion, MAX_REQUESTED_OBJECTS, sumByWorkload } from './envoy-answers.ts';
import type { SeenXdsObject } from './xds-objects.ts';

/** Answer of a replica, if it gave one. */
export interface ReplicaEnvoys {
  readonly replica: string;
  readonly answer?: EnvoyAnswer;
}

export interface AcknowledgementsOptions {
  readonly connection: Pick<KubeConnection, 'objects'>;
  /** Namespace of the objects. */
  readonly namespace: string;
  /** The observed objects, once all are known. */
  readonly seen: () => ReadonlyMap<string, SeenXdsObject> | undefined;
  /** Queries every replica, including this one. */
  readonly ask: (question: EnvoyQuestion, signal: AbortSignal) => Promise<readonly ReplicaEnvoys[]>;
  /** Number of pods per workload, by `namespace/name`. */
  readonly pods: () => ReadonlyMap<string, number>;
  /** Throws once this replica may no longer write. */
  readonly check: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

const XDS_CONFIG = meshrelayKind('XdsConfig');
/**
 * Milliseconds until the next check: while responses are expected, while they are late, while Envoys are missing, and
 * otherwise.
 */
const [SOON, LATE, MISSING, RESYNC_INTERVAL_MS] = [200, 1_000, 2_000, 10_000] as const;
/** Milliseconds that Envoys may go without a response or connection before it is reported. */
const ANSWER_WITHIN = 2_000;
const CONNECT_WITHIN = 10_000;

/** Runs from construction until it is disposed. */
export class Acknowledgements implements AsyncDisposable {
  readonly #options: AcknowledgementsOptions;
  readonly #reconcileLoop: ReconcileLoop;
  /** Time since which objects wait for a response in their current generation, by name. */
  readonly #waitingSince = new Map<string, { readonly generation: number; readonly at: number }>();
  /** Time since which workloads have fewer Envoys than pods. */
  #missingSince: ReadonlyMap<string, number> = new Map();

  constructor(options: AcknowledgementsOptions) {
    this.#options = options;
    this.#reconcileLoop = new ReconcileLoop(options.clock, (signal) => this.#reconcile(signal));
  }

  /** Triggers a check, because something may have changed. Cheap. */
  reconcile(): void {
    this.#reconcileLoop.trigger();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reconcileLoop[Symbol.asyncDispose]();
  }

  async #reconcile(signal: AbortSignal): Promise<number> {
    const { seen: objects, ask, logger } = this.#options;
    const seen = objects();
    if (seen === undefined) return LATE;
    const open = [...seen].filter(([, { generation, acknowledgement }]) => acknowledgement?.generation !== generation);
    for (const name of this.#waitingSince.keys()) if (!seen.has(name)) this.#waitingSince.delete(name);
    const requested = open.slice(0, MAX_REQUESTED_OBJECTS);
    try {
      const answers = await ask(
        { objects: Object.fromEntries(requested.map(([name, { generation }]) => [name, generation])) },
        signal,
      );
      const disconnected = this.#disconnected(seen, answers);
      const done = await this.#noteAll(seen, new Set(requested.map(([name]) => name)), answers, disconnected);
      return done && open.length > requested.length ? SOON : this.#pause();
    } catch (error) {
      if (signal.aborted) return RESYNC_INTERVAL_MS;
      logger.warn('acknowledgements of Envoys cannot be read or stored', { error });
      return LATE;
    }
  }

  #pause(): number {
    const now = this.#options.clock.now();
    const waiting = [...this.#waitingSince.values()];
    if (waiting.some(({ at }) => now - at < ANSWER_WITHIN)) return SOON;
    if (waiting.length > 0) return LATE;
    return this.#missingSince.size > 0 ? MISSING : RESYNC_INTERVAL_MS;
  }

  /** Workloads that have lacked Envoys for long enough, by `namespace/name`. */
  #disconnected(
    seen: ReadonlyMap<string, SeenXdsObject>,
    answers: readonly ReplicaEnvoys[],
  ): ReadonlyMap<string, XdsWorkloadCount> {
    const { pods, clock } = this.#options;
    const [counts, now] = [pods(), clock.now()];
    const sums = sumByWorkload(answers.flatMap(({ answer }) => answer?.connected ?? []));
    const connected = new Map(sums.map(({ namespace, name, count }) => [`${namespace}/${name}`, count]));
    const since = new Map<string, number>();
    const found = new Map<string, XdsWorkloadCount>();
    for (const { proxies } of seen.values()) {
      for (const { namespace, workload: name } of proxies) {
        const id = `${namespace}/${name}`;
        const count = (counts.get(id) ?? 0) - (connected.get(id) ?? 0);
        if (name === undefined || count <= 0) continue;
        since.set(id, this.#missingSince.get(id) ?? now);
        if (now - (since.get(id) ?? now) >= CONNECT_WITHIN) found.set(id, { namespace, name, count });
      }
    }
    this.#missingSince = since;
    return found;
  }

  /** @returns whether every queried object is acknowledged */
  async #noteAll(
    seen: ReadonlyMap<string, SeenXdsObject>,
    requested: ReadonlySet<string>,
    answers: readonly ReplicaEnvoys[],
    disconnected: ReadonlyMap<string, XdsWorkloadCount>,
  ): Promise<boolean> {
    let done = true;
    for (const [name, object] of seen) {
      const before = object.acknowledgement;
      const note = {
        generation: before?.generation ?? 0,
        waiting: before?.waiting ?? [],
        silentReplicas: before?.silentReplicas ?? [],
        disconnected: object.proxies
          .flatMap(({ namespace, workload }) => disconnected.get(`${namespace}/${workload}`) ?? [])
          .slice(0, MAX_LAGGING_WORKLOADS),
        ...(requested.has(name) ? this.#answers(name, object, answers) : {}),
      };
      done &&= !requested.has(name) || note.generation === object.generation;
      if (canonicalJson(note) !== canonicalJson(before ?? NOTHING)) await this.#write(name, note);
    }
    return done;
  }

  #answers(
    name: string,
    { generation, acknowledgement }: SeenXdsObject,
    answers: readonly ReplicaEnvoys[],
  ): Omit<XdsAcknowledgement, 'disconnected'> {
    const waiting = sumByWorkload(answers.flatMap(({ answer }) => answer?.waiting[name] ?? []));
    const silent = answers.filter(({ answer }) => answer === undefined || answer.unseen.includes(name));
    if (waiting.length + silent.length === 0 && !this.#expectsEnvoys) {
      this.#waitingSince.delete(name);
      return { generation, waiting: [], silentReplicas: [] };
    }
    const now = this.#options.clock.now();
    const since = this.#waitingSince.get(name);
    const at = since?.generation === generation ? since.at : now;
    this.#waitingSince.set(name, { generation, at });
    const before = acknowledgement?.generation ?? 0;
    if (now - at < ANSWER_WITHIN) return { generation: before, waiting: [], silentReplicas: [] };
    return {
      generation: before,
      waiting: waiting.slice(0, MAX_LAGGING_WORKLOADS),
      silentReplicas: silent.map(({ replica }) => replica).slice(0, MAX_SILENT_REPLICAS),
    };
  }

  /**
   * Whether pods lack Envoys that may still connect, as after a start. Until they connect or are listed, the absence of
   * Envoys does not count as acknowledged.
   */
  get #expectsEnvoys(): boolean {
    const now = this.#options.clock.now();
    return [...this.#missingSince.values()].some((at) => now - at < CONNECT_WITHIN);
  }

  async #write(name: string, acknowledgement: XdsAcknowledgement): Promise<void> {
    const { connection, namespace, check } = this.#options;
    check();
    try {
      await connection.objects(XDS_CONFIG).mergeStatus({ namespace, name }, { acknowledgement });
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) throw error;
    }
  }
}

/** The state of an object without a recorded status. */
const NOTHING: XdsAcknowledgement = { generation: 0, waiting: [], disconnected: [], silentReplicas: [] };
