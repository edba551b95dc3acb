/**
 * Traffic between workloads, as each replica counted it. The reader adds up the counts, since replicas restart at
 * different times.
 */
import type { TrafficBatch } from '@meshrelay/relay-protocol';
import type { ClusterObserverOptions } from './cluster-observer-options.ts';
import { callEachReplica } from './each-replica.ts';

export async function* edgesOfAll(options: ClusterObserverOptions, signal: AbortSignal): AsyncGenerator<TrafficBatch> {
  const batches: TrafficBatch[] = [];
  const replicas = await callEachReplica(
    options,
    { method: 'traffic.edges', given: {}, signal },
    ({ replicas: _, ...batch }) => {
      batches.push(batch);
    },
  );
  yield* batches;
  yield { replica: options.replica, epoch: '', at: 0, bounds: [], edges: [], overflowed: 0, replicas };
}
