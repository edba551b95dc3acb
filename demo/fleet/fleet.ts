/** The whole fleet: clusters, server and agents, ended together. */
import { connect, type KubeConnection } from '@meshrelay/kube';
import type { KubeSim } from '@meshrelay/kube-sim';
import { type ClusterPlan, NAMESPACE } from './clusters.ts';
import type { DemoFolder } from './folder.ts';
import { Program } from './program.ts';

/** A cluster that runs, and how to reach it. */
export interface RunningCluster {
  readonly plan: ClusterPlan;
  readonly sim: KubeSim;
  readonly kubeconfig: string;
  readonly connection: KubeConnection;
}

/** What agents dial and the server's certificate says. */
const SERVER_NAME = 'mgmt-server.meshrelay';

/** Shorter than in production (15, 10 and 2 seconds), so that nobody waits long for a new leader. */
const LEADER_ELECTION = { leaseDuration: 6000, renewDeadline: 4000, retryPeriod: 1000 };

export function joinCluster(plan: ClusterPlan, sim: KubeSim, folder: DemoFolder): RunningCluster {
  const kubeconfig = folder.write(`${plan.name}.kubeconfig`, sim.kubeconfig);
  return { plan, sim, kubeconfig, connection: connect({ file: kubeconfig }) };
}

/** Where the server listens. */
export interface ServerPorts {
  readonly relay: number;
  readonly http: number;
}

/** Starts the server: on any free ports, or, after a restart, where its agents look for it. */
export function startServer(
  management: RunningCluster,
  folder: DemoFolder,
  ports: ServerPorts = { relay: 0, http: 0 },
): Program {
  const config = folder.writeConfig('mgmt-server', {
    namespace: NAMESPACE,
    replica: 'mgmt-server-0',
    relay: { listen: `127.0.0.1:${ports.relay}`, serverNames: [SERVER_NAME], serverAddresses: ['127.0.0.1'] },
    kubernetes: { kubeconfig: management.kubeconfig },
    http: { listen: `127.0.0.1:${ports.http}` },
    health: { listen: '127.0.0.1:0' },
    leaderElection: LEADER_ELECTION,
  });
  return new Program({ name: 'mgmt-server', package: 'mgmt-server', config, logFile: folder.logFile('mgmt-server') });
}

/** Starts every replica of a cluster's agent. */
export function startAgents({ plan, kubeconfig }: RunningCluster, relayPort: number, folder: DemoFolder): Program[] {
  return Array.from({ length: plan.agents }, (_, index) => {
    const name = `agent-${plan.name}-${index}`;
    const config = folder.writeConfig(name, {
      namespace: NAMESPACE,
      replica: name,
      relay: { serverAddress: `127.0.0.1:${relayPort}`, authority: SERVER_NAME, cluster: plan.name },
      kubernetes: { kubeconfig },
      health: { listen: '127.0.0.1:0' },
      stats: { listen: '127.0.0.1:0' },
      leaderElection: LEADER_ELECTION,
    });
    return new Program({ name, package: 'agent', config, logFile: folder.logFile(name) });
  });
}
