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
    'Expiry of the CA that issues certificates for Envoys, in seconds since 1970; 0 without one.',
    () => seconds(plane.workloadCa?.ca?.authority.certificate.notAfter),
  );
  gauge(
    'workload_certificates',
    'Number of ServiceAccounts whose Envoys have a certificate of this replica.',
    () => plane.workloadCa?.certificates.size ?? 0,
  );
  gauge(
    'workload_certificate_expiry_timestamp_seconds',
    'Earliest expiry of those certificates, in seconds since 1970; 0 without one.',
    () => seconds(plane.workloadCa?.certificates.expiry),
  );
  gauge(
    'workload_roots_published',
    '1 if this replica leads and has published the roots of workload certificates.',
    () => Number(status.leader?.roots.sent ?? false),
  );
  const issued = metrics.counter({
    name: 'workload_certificates_issued_total',
    help: 'Number of certificate requests by Envoys, by result.',
    labels: ['result'],
  });
  const refused = metrics.counter({
    name: 'sds_requests_denied_total',
    help: 'Number of SDS requests for secrets of another ServiceAccount.',
  });
  return { issued: (result) => issued.inc({ result }), refused: () => refused.inc() };
}
