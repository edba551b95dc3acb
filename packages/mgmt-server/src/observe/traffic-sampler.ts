/** Takes two samples of the agents' counters to compute rates; idle while no client requests rates. */
import { clearTimeout, setTimeout } from 'node:timers';
import { mapConcurrent } from '@meshrelay/concurrency';
import { errorMessage } from '@meshrelay/host';
import { RelayError, type ReplicaAnswer } from '@meshrelay/relay-protocol';
import { type AgentLookupContext, type ClusterAnswer, lookupAgent, withProblem } from './lookup-agent.ts';
import { TrafficSample } from './traffic-sample.ts';
import { TrafficSums } from './traffic-sums.ts';

export interface SamplerOptions extends AgentLookupContext {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface TrafficMeasured {
  readonly sums: TrafficSums;
  readonly clusters: readonly ClusterAnswer[];
  /** Edges, and calls between them, that were dropped anywhere on the path because of a size limit. */
  readonly overflowed: number;
}

interface Seen {
  readonly check: TrafficSample;
  readonly at: number;
  readonly answer: ClusterAnswer;
}

interface Known {
  /** The earlier of the two compared samples. */
  base: Seen | undefined;
  latest: Seen | undefined;
  looking: Promise<Seen> | undefined;
}

/**
 * Milliseconds: between the first two samples; during which all clients share a sample; maximum age of the earlier
 * sample; retention of samples.
 */
const TIMES = { first: 2_000, fresh: 1_000, window: 30_000, retained: 120_000 };
/**
 * Edges stored per replica in a sample: all replicas of a small fleet, fewer per replica if there are many clusters.
 */
const EDGES = { inAll: 200_000, least: 200, max: 10_000 };
const TIMEOUT_MS = 15_000;
const AT_ONCE = 32;

export class TrafficSampler implements Disposable {
  readonly #options: SamplerOptions;
  readonly #known = new Map<string, Known>();
  #maxEdges = EDGES.max;
  #forget: NodeJS.Timeout | undefined;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** Clusters with stored samples. */
  get size(): number {
    return this.#known.size;
  }

  /** The traffic of these clusters in the last seconds. */
  async measure(clusters: readonly string[], signal: AbortSignal): Promise<TrafficMeasured> {
    this.#keep();
    this.#maxEdges = Math.max(EDGES.least, Math.min(EDGES.max, Math.floor(EDGES.inAll / clusters.length)));
    await mapConcurrent(clusters, AT_ONCE, (cluster) => this.#check(cluster));
    const alone = clusters.filter((cluster) => this.#known.get(cluster)?.latest === undefined);
    if (alone.length > 0) {
      await this.#options.sleep(TIMES.first, signal);
      signal.throwIfAborted();
      await mapConcurrent(alone, AT_ONCE, (cluster) => this.#check(cluster));
    }
    const sums = new TrafficSums();
    let overflowed = 0;
    const answers = clusters.flatMap((cluster) => {
      const { base, latest = base } = this.#known.get(cluster) ?? {};
      if (base === undefined || latest === undefined) return [];
      for (const rates of latest.check.since(base.check)) sums.add(cluster, rates);
      overflowed += latest.check.overflowed;
      return [latest.answer];
    });
    return { sums, clusters: answers, overflowed: overflowed + sums.overflowed };
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#forget);
    this.#known.clear();
  }

  /** Samples that no client has read for a while are evicted. */
  #keep(): void {
    clearTimeout(this.#forget);
    this.#forget = setTimeout(() => this.#known.clear(), TIMES.retained).unref();
  }

  /** Takes a new sample unless a fresh one exists; concurrent callers share it. */
  async #check(cluster: string): Promise<void> {
    const { now } = this.#options;
    const known = this.#known.get(cluster) ?? { base: undefined, latest: undefined, looking: undefined };
    this.#known.set(cluster, known);
    const { base, latest } = known;
    if (latest !== undefined && now() - latest.at < TIMES.fresh) return;
    if (latest === undefined && base !== undefined && now() - base.at < TIMES.fresh) return;
    known.looking ??= this.#ask(cluster).finally(() => {
      known.looking = undefined;
    });
    const seen = await known.looking;
    if (known.latest === seen || known.base === seen) return;
    const old = known.latest ?? known.base;
    if (old === undefined || seen.at - old.at > TIMES.retained) Object.assign(known, { base: seen, latest: undefined });
    else {
      // A process that started to count after the earlier sample can only be compared with a later one.
      const { base: before } = known;
      if (before === undefined || seen.at - before.at > TIMES.window || !before.check.covers(seen.check))
        known.base = old;
      known.latest = seen;
    }
  }

  /** The answer reports that a cluster cannot be called. */
  async #ask(cluster: string): Promise<Seen> {
    const { now } = this.#options;
    const check = new TrafficSample(this.#maxEdges);
    const seen = (answer: ClusterAnswer): Seen => ({ check, at: now(), answer });
    const where = lookupAgent(this.#options, cluster);
    if (!('caller' in where)) return seen(where);
    let replicas: readonly ReplicaAnswer[] = [];
    try {
      for await (const batch of where.caller.call('traffic.edges', {}, { timeout: TIMEOUT_MS, credits: 2 })) {
        check.add(batch);
        replicas = batch.replicas ?? replicas;
      }
      return seen({ cluster, replicas });
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      return seen(withProblem(cluster, where, errorMessage(error)));
    }
  }
}
