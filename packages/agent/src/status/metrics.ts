/** Metrics of the agent. */
import type { Metrics } from '@meshrelay/telemetry';
import type { AgentStatus } from './agent-status.ts';

/** Registers gauges that read their values at scrape time. */
export function registerGauges(metrics: Metrics, status: AgentStatus): void {
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name, help, read });
  gauge('leader', '1 where this replica leads.', () => Number(status.term !== undefined));
  gauge('term', 'The term this replica leads; 0 while it follows.', () => status.term ?? 0);
  gauge('relay_connected', '1 while both streams to the server are open.', () =>
    Number(status.leader?.relay.connected ?? false),
  );
  gauge('relay_outbox_depth', 'Entries that wait to be pushed.', () => status.leader?.relay.depth ?? 0);
  gauge(
    'relay_lag_seconds',
    'How long the oldest change waits that the server has not acknowledged.',
    () => (status.leader?.relay.lag ?? 0) / 1000,
  );
  gauge('relay_calls', 'Calls of the server that this replica is answering.', () => status.leader?.relay.calls ?? 0);
  gauge('pushed_objects', 'Objects the server is told of.', () => status.leader?.cluster.table.content.size ?? 0);
  gauge('watched_objects', 'Objects known by watches.', () => status.leader?.cluster.inputs.size ?? 0);
  metrics.gauge({
    name: 'watched_kinds',
    help: 'Kinds by how their watch stands: watching, starting, retrying, or absent where the API server does not have them.',
    labels: ['phase'],
    read: () =>
      Object.entries(status.leader?.cluster.inputs.phases() ?? {}).map(([phase, count]) => [count, { phase }] as const),
  });
  gauge('desired_outputs', 'Objects this cluster is to have.', () => status.leader?.cluster.desired.size ?? 0);
  gauge(
    'inventory_outputs',
    'Outputs that the inventory in the cluster keeps.',
    () => status.leader?.cluster.inventory.size ?? 0,
  );
  gauge(
    'repair_queue_depth',
    'Objects that wait to be put right, or are being so.',
    () => status.leader?.cluster.outputs.repairs.depth ?? 0,
  );
  gauge(
    'contested_outputs',
    'Objects that somebody keeps changing, or that cannot be put right.',
    () => status.leader?.cluster.outputs.repairs.contested ?? 0,
  );
  gauge(
    'discovery_quarantined',
    'Keys whose discovery failed and keep their last good result.',
    () => status.leader?.cluster.loop.quarantined ?? 0,
  );
  gauge(
    'certificate_expiry_timestamp_seconds',
    'When the client certificate in use ends, in seconds since 1970; 0 without one.',
    () => (status.leader?.identity.expiry?.getTime() ?? 0) / 1000,
  );
  gauge(
    'mesh_certificate_expiry_timestamp_seconds',
    "When the first of the intermediate CAs of this cluster's meshes ends, in seconds since 1970; 0 without one.",
    () => (status.leader?.cluster.certificates.expiry?.getTime() ?? 0) / 1000,
  );
}
