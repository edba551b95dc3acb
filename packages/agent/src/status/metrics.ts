/** Metrics of the agent. */
import type { Metrics } from '@meshrelay/telemetry';
import type { AgentStatus } from './agent-status.ts';

/** Counters of applied outputs. */
export interface ApplyCounters {
  written(kind: string, result: 'applied' | 'deleted'): void;
  refused(kind: string, code: string): void;
  repaired(kind: string): void;
}

export function applyCounters(metrics: Metrics): ApplyCounters {
  const written = metrics.counter({
    name: 'outputs_written_total',
    help: 'Number of objects applied or deleted for the server.',
    labels: ['kind', 'result'],
  });
  const refused = metrics.counter({
    name: 'outputs_rejected_total',
    help: 'Number of outputs that were not applied, by the reason reported to the server.',
    labels: ['kind', 'code'],
  });
  const repaired = metrics.counter({
    name: 'outputs_repaired_total',
    help: 'Number of generated objects repaired after another client changed or deleted them.',
    labels: ['kind'],
  });
  return {
    written: (kind, result) => written.inc({ kind, result }),
    refused: (kind, code) => refused.inc({ kind, code }),
    repaired: (kind) => repaired.inc({ kind }),
  };
}

/** Registers gauges that read their values at scrape time. */
export function registerGauges(metrics: Metrics, status: AgentStatus): void {
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name, help, read });
  gauge('leader', '1 if this replica leads.', () => Number(status.leaderTerm !== undefined));
  gauge('term', 'Term of this leader; 0 for a follower.', () => status.leaderTerm?.term ?? 0);
  gauge('relay_connected', '1 while both streams to the server are open.', () =>
    Number(status.leaderTerm?.relay?.connected ?? false),
  );
  gauge('relay_outbox_depth', 'Number of entries that wait to be pushed.', () => status.leaderTerm?.relay?.depth ?? 0);
  gauge(
    'relay_lag_seconds',
    'Age of the oldest change that the server has not acknowledged.',
    () => (status.leaderTerm?.relay?.lag ?? 0) / 1000,
  );
  gauge('relay_calls', 'Number of running calls of the server.', () => status.leaderTerm?.relay?.calls ?? 0);
  gauge('pushed_objects', 'Number of objects sent to the server.', () => status.leaderTerm?.table.content.size ?? 0);
  gauge('watched_objects', 'Number of watched objects.', () => status.leaderTerm?.inputs?.size ?? 0);
  metrics.gauge({
    name: 'watched_kinds',
    help: 'Number of kinds by state of their watch: watching, starting, retrying, or absent if the API server does not serve them.',
    labels: ['phase'],
    read: () =>
      Object.entries(status.leaderTerm?.inputs?.phases() ?? {}).map(([phase, count]) => [count, { phase }] as const),
  });
  gauge('desired_outputs', 'Number of desired objects of this cluster.', () => status.leaderTerm?.desired.size ?? 0);
  gauge(
    'inventory_outputs',
    'Number of outputs in the stored inventory.',
    () => status.leaderTerm?.inventory?.size ?? 0,
  );
  gauge(
    'repair_queue_depth',
    'Number of objects in the repair queue, including those being repaired.',
    () => status.leaderTerm?.repairs.depth ?? 0,
  );
  gauge(
    'contested_outputs',
    'Number of objects that another client keeps changing, or that cannot be repaired.',
    () => status.leaderTerm?.repairs.contested ?? 0,
  );
  gauge(
    'discovery_quarantined',
    'Number of keys whose discovery failed and that keep their last valid result.',
    () => status.leaderTerm?.loop.quarantined ?? 0,
  );
  gauge(
    'certificate_expiry_timestamp_seconds',
    'Expiry of the client certificate in use, in seconds since 1970; 0 without one.',
    () => (status.leaderTerm?.identity?.expiry?.getTime() ?? 0) / 1000,
  );
  gauge(
    'mesh_certificate_expiry_timestamp_seconds',
    "Earliest expiry of the intermediate CAs of this cluster's meshes, in seconds since 1970; 0 without one.",
    () => (status.leaderTerm?.certificates?.expiry?.getTime() ?? 0) / 1000,
  );
}
