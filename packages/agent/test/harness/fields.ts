/** Configuration fields of agents under test. */
import { CLUSTER, type TestRelay } from './relay.ts';

export type AgentFields = Readonly<Record<string, string | number>>;

/** A relay and an API server under test, and a free port for each purpose; times are those of production. */
export function agentFields(kubeconfig: string, { address }: Pick<TestRelay, 'address'>): AgentFields {
  return {
    'relay.serverAddress': address,
    'relay.authority': 'relay.test',
    'relay.cluster': CLUSTER,
    'kubernetes.kubeconfig': kubeconfig,
    'health.listen': '127.0.0.1:0',
    'stats.listen': '127.0.0.1:0',
    'dataPlane.listen': '127.0.0.1:0',
    'peers.listen': '127.0.0.1:0',
  };
}

/** A Lease whose expiry a test can wait for, and which a busy machine still renews in time. */
export const SHORT_LEASE: AgentFields = {
  'leaderElection.leaseDuration': 4_000,
  'leaderElection.renewDeadline': 3_000,
  'leaderElection.retryPeriod': 100,
};

/** The same as arguments of the program. */
export function flags(fields: AgentFields): string[] {
  return Object.entries(fields).map(([name, value]) => `--${name}=${value}`);
}
