/** Live tail of the whole cluster, including replicas that come and go. */

import type { Peer } from '@meshrelay/peers';
import { type LogBatch, type LogTail, Merged } from '@meshrelay/relay-protocol';
import type { ClusterObserverOptions } from './cluster-observer-options.ts';
import { OTHERS, reasonOf } from './each-replica.ts';

/** Milliseconds between two listings of the replicas, and between two attempts to reach one. */
const POLL_INTERVAL_MS = 5_000;
/**
 * Maximum history of a replica that joins late: entries it received since the tail began, or since the connection
 * broke.
 */
const LATE_HISTORY = 1_000;

export async function* tailAll(
  options: ClusterObserverOptions,
  given: LogTail,
  signal: AbortSignal,
): AsyncGenerator<LogBatch> {
  const all = new Merged<LogBatch>([options.own.ask('logs.tail', given, signal)]);
  all.add(new OtherReplicas(options, given, signal).follow((tail) => all.add(tail)));
  yield* all;
}

/** Tails of the other replicas. */
class OtherReplicas {
  readonly #options: ClusterObserverOptions;
  readonly #given: LogTail;
  readonly #signal: AbortSignal;
  /** Replicas with an open tail. */
  readonly #open = new Set<string>();
  /** Time from which entries of a replica are new to the reader; for other replicas, the start of the tail. */
  readonly #since = new Map<string, number>();
  /** Last reported problem of each replica. */
  readonly #problems = new Map<string, string>();
  readonly #begun: number;

  constructor(options: ClusterObserverOptions, given: LogTail, signal: AbortSignal) {
    this.#options = options;
    this.#given = given;
    this.#signal = signal;
    this.#begun = options.now().getTime();
  }

  /** Reports replicas that do not answer, and passes the tails of the others to `add`. */
  async *follow(add: (tail: AsyncIterable<LogBatch>) => void): AsyncGenerator<LogBatch> {
    for (let first = true; !this.#signal.aborted; first = false) {
      try {
        const found = await this.#options.peers.find();
        for (const peer of found) {
          if (this.#open.has(peer.replica)) continue;
          this.#open.add(peer.replica);
          add(this.#tailOf(peer, first));
        }
        yield* this.#gone(found);
        yield* this.#well(OTHERS);
      } catch (error) {
        yield* this.#problem(OTHERS, `the agent's replicas cannot be listed: ${reasonOf(error)}`);
      }
      await this.#options.sleep(POLL_INTERVAL_MS, this.#signal);
    }
  }

  async *#tailOf(peer: Peer, first: boolean): AsyncGenerator<LogBatch> {
    const { replica } = peer;
    const { peers, now } = this.#options;
    let answered = false;
    try {
      for await (const batch of peers.observer(peer).ask('logs.tail', this.#question(replica, first), this.#signal)) {
        // The first reply proves that the replica answers: the earlier problem is over.
        this.#problems.delete(replica);
        answered = true;
        yield batch;
      }
      yield* this.#problem(replica, 'it has ended');
    } catch (error) {
      if (!this.#signal.aborted) yield* this.#problem(replica, reasonOf(error));
    } finally {
      this.#open.delete(replica);
      if (answered) this.#since.set(replica, now().getTime());
    }
  }

  #question(replica: string, first: boolean): LogTail {
    if (first) return this.#given;
    const { query } = this.#given;
    const since = Math.max(this.#since.get(replica) ?? this.#begun, query.since ?? 0);
    return { query: { ...query, since }, history: LATE_HISTORY };
  }

  /** Reports deleted pods, whose tails will not resume. */
  *#gone(found: readonly Peer[]): Generator<LogBatch> {
    const names = new Set([OTHERS, ...found.map(({ replica }) => replica)]);
    for (const replica of [...this.#problems.keys()]) {
      if (names.has(replica)) continue;
      this.#problems.delete(replica);
      yield { entries: [], replicas: [{ replica, gone: true }] };
    }
  }

  *#well(replica: string): Generator<LogBatch> {
    if (this.#problems.delete(replica)) yield { entries: [], replicas: [{ replica }] };
  }

  *#problem(replica: string, problem: string): Generator<LogBatch> {
    if (this.#problems.get(replica) === problem) return;
    this.#problems.set(replica, problem);
    yield { entries: [], replicas: [{ replica, problem }] };
  }
}
