/** Recent access logs of many clusters. */

import { mapConcurrent } from '@meshrelay/concurrency';
import { errorMessage } from '@meshrelay/host';
import {
  type LogFilter,
  type LoggedEntry,
  NewestEntries,
  RelayError,
  type ReplicaAnswer,
} from '@meshrelay/relay-protocol';
import { attributed } from './attributed.ts';
import { type AgentLookupContext, type ClusterAnswer, lookupAgent, withProblem } from './lookup-agent.ts';

export interface LogSearchRequest {
  readonly query: LogFilter;
  readonly limit: number;
  readonly clusters: readonly string[];
  readonly signal: AbortSignal;
}

export interface LogsFound {
  /** Oldest first. */
  readonly entries: readonly LoggedEntry[];
  /** Whether there were more entries than the limit, or more bytes than an answer may have. */
  readonly more: boolean;
  /** Entries that matched the query and were too large for an answer. */
  readonly lost: number;
  readonly clusters: readonly ClusterAnswer[];
}

/** Milliseconds for a cluster's complete answer, and maximum clusters queried at once. */
const TIMEOUT_MS = 15_000;
const AT_ONCE = 8;
/** Maximum characters of an answer. */
const MAX_SIZE = 16 * 2 ** 20;

export async function searchLogs(
  knowledge: AgentLookupContext,
  { query, limit, clusters, signal }: LogSearchRequest,
): Promise<LogsFound> {
  const newest = new NewestEntries({ entries: limit, size: MAX_SIZE });
  let [more, lost] = [false, 0];
  const ask = async (cluster: string): Promise<ClusterAnswer> => {
    const where = lookupAgent(knowledge, cluster);
    if (!('caller' in where)) return where;
    let replicas: readonly ReplicaAnswer[] = [];
    try {
      const options = { timeout: TIMEOUT_MS, signal, credits: 2 };
      for await (const batch of where.caller.call('logs.search', { query, limit }, options)) {
        newest.add(batch.entries.map((entry) => attributed(entry, cluster)));
        replicas = batch.replicas ?? replicas;
        more ||= batch.more === true;
        lost += batch.lost ?? 0;
      }
      return { cluster, replicas };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RelayError)) throw error;
      return withProblem(cluster, where, errorMessage(error));
    }
  };
  const answers = await mapConcurrent(clusters, AT_ONCE, ask);
  return { entries: newest.entries(), more: more || newest.more, lost, clusters: answers };
}
