/** What is logged in the whole cluster from now on, replicas that come and go included. */

import type { Peer } from '@meshrelay/peers';
import { type LogBatch, type LogTail, Merged } from '@meshrelay/relay-protocol';
import type { ClusterObserverOptions } from './cluster-observer.ts';
import { OTHERS, reasonOf } from './each-replica.ts';

/** Milliseconds between two looks at which replicas there are, and between two attempts to reach one. */
const POLL_INTERVAL_MS = 5_000;
/** Entries with which a replica that comes late begins at most: what it was sent since the tail began, or since it broke off. */
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

/** The tails of the other replicas. */
class OtherReplicas {
  readonly #options: ClusterObserverOptions;
  readonly #given: LogTail;
  readonly #signal: AbortSignal;
  /** Replicas whose tail is open. */
  readonly #open = new Set<string>();
  /** Since when entries of a replica are new to the reader; of one that is not named, since the tail began. */
  readonly #since = new Map<string, number>();
  /** What was last said to be wrong with a replica. */
  readonly #problems = new Map<string, string>();
  readonly #begun: number;

  constructor(options: ClusterObserverOptions, given: LogTail, signal: AbortSignal) {
    this.#options = options;
    this.#given = given;
    this.#signal = signal;
    this.#begun = options.now().getTime();
  }

  /** Says which replicas do not answer, and hands the tails of those that do to `add`. */
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
        // Its first reply says that it answers: what was wrong before is over.
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

  /** Pods that are no more: there is nothing to wait for. */
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
