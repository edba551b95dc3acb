/** Recent log entries of the whole cluster: the newest of all replicas. */
import { type LogBatch, type LogSearch, NewestEntries } from '@meshrelay/relay-protocol';
import type { ClusterObserverOptions } from './cluster-observer-options.ts';
import { callEachReplica } from './each-replica.ts';
import { logBatches } from './log-batches.ts';

/** Maximum characters of an answer: the relay's limit for one call, minus room for the envelope. */
const MAX_SIZE: number = 8 * 2 ** 20;

export async function* searchAll(
  options: ClusterObserverOptions,
  given: LogSearch,
  signal: AbortSignal,
): AsyncGenerator<LogBatch> {
  const newest = new NewestEntries({ entries: given.limit, size: MAX_SIZE });
  let [more, lost] = [false, 0];
  const replicas = await callEachReplica(options, { method: 'logs.search', given, signal }, (batch) => {
    newest.add(batch.entries);
    more ||= batch.more === true;
    lost += batch.lost ?? 0;
  });
  for (const batch of logBatches(newest.entries(), lost)) yield batch;
  yield { entries: [], replicas, more: more || newest.more };
}
