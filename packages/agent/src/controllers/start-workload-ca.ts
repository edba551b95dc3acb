/** Every replica: the CA for the Envoys that connect to it. */
import type { AgentContext } from '../agent-context.ts';
import { workloadCaMetrics } from '../status/workload-ca-metrics.ts';
import { WorkloadCa } from '../workload-ca/workload-ca.ts';

export function startWorkloadCa({
  config,
  connection,
  dataPlane,
  status,
  metrics,
  clock,
  now,
  random,
  logger,
}: AgentContext): WorkloadCa {
  const counters = workloadCaMetrics(metrics, status, dataPlane);
  const ca = new WorkloadCa({
    connection,
    namespace: config.namespace,
    inUse: (account) => dataPlane.proxies.streamsOf(account) > 0,
    changed: (names, whose) => dataPlane.catalog.secretsChanged(names, whose),
    counters,
    clock,
    now,
    random,
    logger: logger.child('workload-ca'),
  });
  dataPlane.workloadCa = ca;
  return ca;
}
