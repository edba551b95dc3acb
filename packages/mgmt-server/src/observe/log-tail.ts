/** Follows the access logs of many clusters, including agents that connect later. */
import { type LogFilter, type LoggedEntry, Merged, RelayError } from '@meshrelay/relay-protocol';
import { attributed } from './attributed.ts';
import { type AgentLookupContext, type ClusterAnswer, lookupAgent, withProblem } from './lookup-agent.ts';

/** Entries of one cluster. */
export interface TailedEntries {
  readonly cluster: string;
  readonly entries: readonly LoggedEntry[];
  /** Earlier entries that were lost, because the reader was too slow. */
  readonly lost?: number;
}

/** One event: entries, or the changed state of a cluster. */
export type TailEvent =
  | { readonly type: 'entries'; readonly data: TailedEntries }
  | { readonly type: 'cluster'; readonly data: ClusterAnswer };

export interface LogTailRequest {
  readonly query: LogFilter;
  /** Maximum entries of each cluster to begin with; 0 for none. */
  readonly history: number;
  readonly clusters: readonly string[];
  readonly signal: AbortSignal;
}

export interface TailTools extends AgentLookupContext {
  /** Waits before a cluster is called again. */
  pause(signal: AbortSignal): Promise<void>;
  readonly now: () => Date;
}

/** Milliseconds of one call: the agent ends it then, and the server calls again. */
const CALL = 3_500_000;
/** Maximum entries at the start of a repeated call: those logged meanwhile. */
const LATE_HISTORY = 1_000;

export async function* tailLogs(tools: TailTools, request: LogTailRequest): AsyncGenerator<TailEvent> {
  yield* new Merged(request.clusters.map((cluster) => tailCluster(tools, request, cluster)));
}

async function* tailCluster(
  tools: TailTools,
  { query, history, signal }: LogTailRequest,
  cluster: string,
): AsyncGenerator<TailEvent> {
  let reported: string | undefined;
  let [given, since] = [{ query, history }, tools.now().getTime()];
  const current = function* (answer: ClusterAnswer): Generator<TailEvent> {
    const text = JSON.stringify(answer);
    if (text !== reported) yield { type: 'cluster', data: answer };
    reported = text;
  };
  while (!signal.aborted) {
    const where = lookupAgent(tools, cluster);
    if ('caller' in where) {
      try {
        let answers = false;
        for await (const batch of where.caller.call('logs.tail', given, { timeout: CALL, signal, credits: 2 })) {
          answers = true;
          const { entries, lost, replicas } = batch;
          if (replicas !== undefined) yield* current({ cluster, replicas });
          if (entries.length > 0 || lost !== undefined) {
            const own = entries.map((entry) => attributed(entry, cluster));
            yield { type: 'entries', data: { cluster, entries: own, ...(lost === undefined ? {} : { lost }) } };
          }
          since = tools.now().getTime();
        }
        if (!answers)
          yield* current({ cluster, problem: `the agent of ${cluster} ended the tail; the server calls it again` });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof RelayError)) throw error;
        yield* current(withProblem(cluster, where, `${error.message}; the server calls it again`));
      }
      // The next call requests entries logged meanwhile. Requests that began earlier and ended meanwhile are not
      // included.
      given = { query: { ...query, since: Math.max(since, query.since ?? 0) }, history: LATE_HISTORY };
    } else yield* current(where);
    await tools.pause(signal);
  }
}
