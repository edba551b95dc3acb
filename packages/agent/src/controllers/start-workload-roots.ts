/** Leader: publishes the roots with which the cluster's Envoys verify each other. */
import type { Fence } from '@meshrelay/cluster-controllers';
import type { AgentContext } from '../agent-context.ts';
import { RootsPublisher } from '../workload-ca/publish-roots.ts';
import type { WorkloadCa } from '../workload-ca/workload-ca.ts';

export function startWorkloadRoots(
  { config, connection, clock, random, logger }: AgentContext,
  fence: Fence,
  ca: WorkloadCa,
): RootsPublisher {
  const { namespace } = config;
  const check = (): void => fence.check();
  const log = logger.child('workload-ca');
  return new RootsPublisher({ connection, namespace, ca, check, clock, random, logger: log });
}
