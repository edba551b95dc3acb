/** Metrics of the agent. */
import type { Metrics } from '@meshrelay/telemetry';
import type { AgentStatus } from './agent-status.ts';

/** Registers gauges that read their values at scrape time. */
export function registerGauges(metrics: Metrics, status: AgentStatus): void {
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name, help, read });
  gauge('leader', '1 if this replica leads.', () => Number(status.term !== undefined));
  gauge('term', 'Term of this leader; 0 for a follower.', () => status.term ?? 0);
  gauge('relay_connected', '1 while both streams to the server are open.', () =>
    Number(status.leader?.relay.connected ?? false),
  );
  gauge('relay_outbox_depth', 'Number of entries that wait to be pushed.', () => status.leader?.relay.depth ?? 0);
  gauge(
    'relay_lag_seconds',
    'Age of the oldest change that the server has not acknowledged.',
    () => (status.leader?.relay.lag ?? 0) / 1000,
  );
  gauge('relay_calls', 'Number of running calls of the server.', () => status.leader?.relay.calls ?? 0);
  gauge(
    'pushed_objects',
    'Number of objects sent to the server.',
    () => status.leader?.cluster.table.content.size ?? 0,
  );
  gauge('watched_objects', 'Number of watched objects.', () => status.leader?.cluster.inputs.size ?? 0);
  metrics.gauge({
    name: 'watched_kinds',
    help: 'Number of kinds by state of their watch: watching, starting, retrying, or absent if the API server does not serve them.',
    labels: ['phase'],
    read: () =>
      Object.entries(status.leader?.cluster.inputs.phases() ?? {}).map(([phase, count]) => [count, { phase }] as const),
  });
  gauge(
    'desired_outputs',
    'Number of desired objects of this cluster.',
    () => status.leader?.cluster.desired.size ?? 0,
  );
  gauge(
    'inventory_outputs',
    'Number of outputs in the stored inventory.',
    () => status.leader?.cluster.inventory.size ?? 0,
  );
  gauge(
    'repair_queue_depth',
    'Number of objects in the repair queue, including those being repaired.',
    () => status.leader?.cluster.outputs.repairs.depth ?? 0,
  );
  gauge(
    'contested_outputs',
    'Number of objects that another client keeps changing, or that cannot be repaired.',
    () => status.leader?.cluster.outputs.repairs.contested ?? 0,
  );
  gauge(
    'discovery_failed_plugins',
    'Number of mesh plugins whose discovery failed, and that discover nothing until the agent restarts.',
    () => status.leader?.cluster.loop.discovery.failed.length ?? 0,
  );
  gauge(
    'discovery_quarantined',
    'Number of keys whose discovery failed and that keep their last valid result.',
    () => status.leader?.cluster.loop.quarantined ?? 0,
  );
  gauge(
    'certificate_expiry_timestamp_seconds',
    'Expiry of the client certificate in use, in seconds since 1970; 0 without one.',
    () => (status.leader?.identity.expiry?.getTime() ?? 0) / 1000,
  );
  gauge(
    'mesh_certificate_expiry_timestamp_seconds',
    "Earliest expiry of the intermediate CAs of this cluster's meshes, in seconds since 1970; 0 without one.",
    () => (status.leader?.cluster.certificates.expiry?.getTime() ?? 0) / 1000,
  );
}
