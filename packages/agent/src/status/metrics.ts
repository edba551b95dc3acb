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
    help: 'Objects applied or deleted because the server asked for it.',
    labels: ['kind', 'result'],
  });
  const refused = metrics.counter({
    name: 'outputs_refused_total',
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
  gauge('leader', '1 where this replica leads.', () => Number(status.leaderTerm !== undefined));
  gauge('term', 'The term this replica leads; 0 while it follows.', () => status.leaderTerm?.term ?? 0);
  gauge('relay_connected', '1 while both streams to the server are open.', () =>
    Number(status.leaderTerm?.relay?.connected ?? false),
  );
  gauge('relay_outbox_depth', 'Entries that wait to be pushed.', () => status.leaderTerm?.relay?.depth ?? 0);
  gauge(
    'relay_lag_seconds',
    'How long the oldest change waits that the server has not acknowledged.',
    () => (status.leaderTerm?.relay?.lag ?? 0) / 1000,
  );
  gauge(
    'relay_calls',
    'Calls of the server that this replica is answering.',
    () => status.leaderTerm?.relay?.calls ?? 0,
  );
  gauge('pushed_objects', 'Number of objects sent to the server.', () => status.leaderTerm?.table.content.size ?? 0);
  gauge('watched_objects', 'Objects known by watches.', () => status.leaderTerm?.inputs?.size ?? 0);
  metrics.gauge({
    name: 'watched_kinds',
    help: 'Kinds by how their watch stands: watching, starting, retrying, or absent where the API server does not have them.',
    labels: ['phase'],
    read: () =>
      Object.entries(status.leaderTerm?.inputs?.phases() ?? {}).map(([phase, count]) => [count, { phase }] as const),
  });
  gauge('desired_outputs', 'Objects this cluster is to have.', () => status.leaderTerm?.desired.size ?? 0);
  gauge(
    'inventory_outputs',
    'Outputs that the inventory in the cluster keeps.',
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
    'Keys whose discovery failed and keep their last good result.',
    () => status.leaderTerm?.loop.quarantined ?? 0,
  );
  gauge(
    'certificate_expiry_timestamp_seconds',
    'When the client certificate in use ends, in seconds since 1970; 0 without one.',
    () => (status.leaderTerm?.identity?.expiry?.getTime() ?? 0) / 1000,
  );
  gauge(
    'mesh_certificate_expiry_timestamp_seconds',
    "When the first of the intermediate CAs of this cluster's meshes ends, in seconds since 1970; 0 without one.",
    () => (status.leaderTerm?.certificates?.expiry?.getTime() ?? 0) / 1000,
  );
}
