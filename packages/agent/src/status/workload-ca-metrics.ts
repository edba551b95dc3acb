/** Metrics of the CA of the cluster's Envoys. */
import type { Metrics } from '@meshrelay/telemetry';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { WorkloadCaCounters } from '../workload-ca/workload-ca.ts';
import type { AgentStatus } from './agent-status.ts';

/** Registers the metrics. All except counters are read at scrape time. */
export function workloadCaMetrics(metrics: Metrics, status: AgentStatus, plane: DataPlane): WorkloadCaCounters {
  const gauge = (name: string, help: string, read: () => number) => metrics.gauge({ name, help, read });
  const seconds = (end: Date | undefined): number => (end?.getTime() ?? 0) / 1000;
  gauge(
    'workload_ca_expiry_timestamp_seconds',
    'When the CA that this replica issues the certificates of Envoys from ends, in seconds since 1970; 0 without one.',
    () => seconds(plane.workloadCa?.ca?.authority.certificate.notAfter),
  );
  gauge(
    'workload_certificates',
    'ServiceAccounts whose Envoys have a certificate of this replica.',
    () => plane.workloadCa?.certificates.size ?? 0,
  );
  gauge(
    'workload_certificate_expiry_timestamp_seconds',
    'When the first of those certificates ends, in seconds since 1970; 0 without one.',
    () => seconds(plane.workloadCa?.certificates.expiry),
  );
  gauge('workload_roots_told', '1 where this replica leads and has told the roots that Envoys verify by.', () =>
    Number(status.leader?.roots.sent ?? false),
  );
  const issued = metrics.counter({
    name: 'workload_certificates_issued_total',
    help: 'Certificates of Envoys, by what became of them.',
    labels: ['result'],
  });
  const refused = metrics.counter({
    name: 'foreign_secrets_refused_total',
    help: "Secrets that Envoys asked for and that are not their own ServiceAccount's.",
  });
  return { issued: (result) => issued.inc({ result }), refused: () => refused.inc() };
}
