/** Metrics of the server. */
import type { Metrics } from '@meshrelay/telemetry';
import type { SafeMode } from './output/safe-mode.ts';
import type { Connections } from './relay/connections.ts';
import type { Duties } from './server.ts';
import type { Fleet } from './store/fleet.ts';

export interface Measured {
  readonly fleet: Fleet;
  readonly connections: Connections;
  readonly safeMode: () => SafeMode;
  readonly duties: Duties;
}

/** Registers gauges that read what they measure when they are scraped. */
export function registerMetrics(metrics: Metrics, { fleet, connections, safeMode, duties }: Measured): void {
  const { controlPlane, world } = fleet;
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name: name, help, read });
  gauge('clusters_registered', 'Registered clusters.', () => world.clusters.size);
  gauge(
    'clusters_connected',
    'Clusters whose agent has both streams open to this replica.',
    () => connections.connected.length,
  );
  gauge('safe_mode', '1 while nothing is sent because inputs are missing.', () => Number(safeMode().active));
  gauge('commit_queue_depth', 'Writes that wait for a commit of the graph.', () => fleet.depth);
  gauge('discovered_queue_depth', 'Discovered objects that wait to be written.', () => duties.discovered?.depth ?? 0);
  gauge('outputs', 'Objects desired in all clusters.', () => controlPlane.desired.size);
  gauge('policies', 'Policies in all clusters.', () => world.policies.size);
  gauge(
    'quarantined',
    'Keys whose transform failed and keep their last good result.',
    () => controlPlane.graph.quarantined.size,
  );
  gauge('leader', '1 where this replica holds the Lease.', () => Number(duties.ledger !== undefined));
}
