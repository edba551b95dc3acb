/** Controllers that the leader of a workload cluster runs: they watch, discover, push and apply. */
export { type ApplyCounters, applyCounters } from './apply/apply-counters.ts';
export { type Fence, FencedError } from './apply/fence.ts';
export type { ClusterConfig } from './cluster-config.ts';
export { type ClusterContext, type ClusterContextOptions, clusterContext } from './cluster-context.ts';
export { type ClusterWork, startClusterWork } from './controllers/cluster-work.ts';
export { type StreamOptions, startStreams } from './controllers/streams.ts';
export { watchLog } from './input/watch-log.ts';
export { type ElectionError, ElectionLog } from './leadership/election-log.ts';
export { LeadershipContest, type LeadershipContestOptions } from './leadership/leadership.ts';
export type { Term } from './leadership/term.ts';
export { relayLogger } from './relay/relay-logger.ts';
export type { RelayWork } from './relay/relay-work.ts';
export type { ServerTransport, TransportStreams } from './relay/server-transport.ts';
export { type RightsCommand, rightsCommand, withCommand } from './rights/missing-right.ts';
export { type RunClusterOptions, runCluster } from './run-cluster.ts';
