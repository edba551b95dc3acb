/** Watches of the cluster: one per kind, however many readers it has. */
import type { KubeObject } from '@meshrelay/api';
import {
  type KindState,
  type KindWatch,
  type KubeConnection,
  recheckOnCrds,
  type WatchOptions,
  watchKind,
  withoutManagedFields,
} from '@meshrelay/kube';
import { kindKey, type ResourceKind, refuseTooDeep, withoutNoise } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { type KindReader, TickSink } from './tick.ts';
import { watchLog } from './watch-log.ts';

export interface ClusterInputsOptions {
  readonly connection: KubeConnection;
  readonly readers: readonly KindReader[];
  readonly logger: Logger;
  readonly clock?: WatchOptions['clock'];
}

/** Runs from construction until it is disposed. */
export class ClusterInputs implements AsyncDisposable {
  readonly #options: ClusterInputsOptions;
  readonly #watches = new Map<string, KindWatch>();
  readonly #crds: KindWatch;

  constructor(options: ClusterInputsOptions) {
    this.#options = options;
    const clock = options.clock === undefined ? {} : { clock: options.clock };
    const kinds = new Map(options.readers.flatMap(({ kinds }) => kinds).map((kind) => [kindKey(kind), kind]));
    for (const kind of kinds.values()) this.#watch(kind, clock);
    this.#crds = recheckOnCrds(options.connection, () => this.#watches.values(), clock);
  }

  /** Kinds that were never completely listed, with the reason if known: `Pod`, `VirtualService (…)`. */
  unknown(): string[] {
    return [...this.#watches.values()]
      .filter(({ complete }) => !complete)
      .map(({ kind, state }) => (state.phase === 'retrying' ? `${kind.kind} (${state.error.message})` : kind.kind));
  }

  /** Whether the kind is known not to exist in the cluster. */
  isAbsent(kind: ResourceKind): boolean {
    return this.#watches.get(kindKey(kind))?.state.phase === 'absent';
  }

  /** Number of kinds per phase. */
  phases(): Readonly<Record<KindState['phase'], number>> {
    const phases = { starting: 0, watching: 0, absent: 0, retrying: 0 };
    for (const { state } of this.#watches.values()) phases[state.phase]++;
    return phases;
  }

  /** Number of known objects of all kinds. */
  get size(): number {
    return this.#watches.values().reduce((sum, { size }) => sum + size, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#crds, ...this.#watches.values()].map((watch) => watch[Symbol.asyncDispose]()));
  }

  #watch(kind: ResourceKind, clock: Pick<WatchOptions, 'clock'>): void {
    const { connection, readers, logger } = this.#options;
    const interested = readers.filter(({ kinds }) => kinds.some((one) => kindKey(one) === kindKey(kind)));
    // Transforms objects on arrival, so fields that no reader needs are never stored.
    const transform = interested.some(({ needs }) => needs === 'version') ? withVersion : withoutNoise;
    const sink = new TickSink((tick) => {
      const meant = transform === withoutNoise ? tick : { ...tick, upserts: tick.upserts.map(withoutNoise) };
      for (const reader of interested) reader.take(kind, reader.needs === 'version' ? tick : meant);
    });
    const log = watchLog(logger, kind.kind);
    const observer = {
      ...log,
      state: (state: KindState): void => {
        log.state?.(state);
        // Only a kind that was absent and appears starts again: nothing of it is known until it is listed.
        if (state.phase === 'starting') for (const reader of interested) reader.lost(kind);
      },
    };
    this.#watches.set(kindKey(kind), watchKind(connection, kind, sink, { ...clock, transform, observer }));
  }
}

/** Rejects early what `withoutNoise` would reject later, when other objects of the same tick would suffer. */
function withVersion(object: KubeObject): KubeObject {
  refuseTooDeep(object);
  return withoutManagedFields(object);
}
