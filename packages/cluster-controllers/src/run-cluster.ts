/**
 * A managed cluster without an agent in it: another program does the work of its leader through the cluster's
 * API.
 */
import { type ClusterContextOptions, clusterContext } from './cluster-context.ts';
import { startClusterWork } from './controllers/cluster-work.ts';
import { startStreams } from './controllers/streams.ts';
import type { ElectionError } from './leadership/election-log.ts';
import { LeadershipContest } from './leadership/leadership.ts';
import type { ServerTransport } from './relay/server-transport.ts';

export interface RunClusterOptions extends ClusterContextOptions {
  /** Transport to the server, created for each term. */
  readonly transport: () => ServerTransport;
  /** Called when the cluster's API server is unavailable or denies access to the Lease, and when it works again. */
  readonly onElection?: (failure: ElectionError) => void;
}

/**
 * Contends for the cluster's Lease and leads while holding it. Disposal ends that, and releases the Lease last. It uses
 * the same Lease, term and fence as an agent. So two programs never write at once, whatever the mode of each.
 */
export function runCluster({ onElection, transport: newTransport, ...options }: RunClusterOptions): AsyncDisposable {
  const member = clusterContext(options);
  return new LeadershipContest({
    context: member,
    onElection,
    lead: async (term, logger) => {
      await using work = new AsyncDisposableStack();
      const context = { ...member, logger };
      const transport = newTransport();
      const cluster = work.use(await startClusterWork(context, term, transport));
      work.use(startStreams(context, term, cluster, { transport }));
      return work.move();
    },
  });
}
