/** The demo's server and agents. */
import {
  type Program,
  type RunFolder,
  type RunningCluster,
  type Runtime,
  startAgent,
  startServer,
} from '@meshrelay/local-fleet';

/** Shorter than in production (15, 10 and 2 seconds), for a quick election of a new leader. */
const LEADER_ELECTION = { leaseDuration: 6000, renewDeadline: 4000, retryPeriod: 1000 };

/** The server's addresses. */
export interface ServerPorts {
  readonly relay: number;
  readonly http: number;
}

/** Where the programs run, and in what: Node when omitted. */
export interface ProgramOptions {
  readonly folder: RunFolder;
  readonly runtime?: Runtime;
}

/** Starts the server: on any free ports, or, after a restart, on those that its agents know. */
export function startManagement(
  { kubeconfig }: RunningCluster,
  { folder, runtime = 'node' }: ProgramOptions,
  ports: ServerPorts = { relay: 0, http: 0 },
): Program {
  return startServer({ name: 'mgmt-server', kubeconfig, folder, runtime, ports, leaderElection: LEADER_ELECTION });
}

/** Starts every replica of a cluster's agent. */
export function startAgents(cluster: RunningCluster, relayPort: number, options: ProgramOptions): Program[] {
  return Array.from({ length: cluster.plan.agents }, (_, index) =>
    startReplica(cluster, `agent-${cluster.plan.name}-${index}`, relayPort, options),
  );
}

/** Restarts an agent that has ended, on the port that its Envoys know. */
export function startAgentAgain(
  cluster: RunningCluster,
  ended: Program,
  relayPort: number,
  options: ProgramOptions,
): Program {
  const started = ended.lines().find(({ msg }) => msg === 'agent started');
  return startReplica(cluster, ended.name, relayPort, options, Number(started?.['dataPlanePort'] ?? 0));
}

function startReplica(
  { plan, kubeconfig }: RunningCluster,
  name: string,
  relayPort: number,
  { folder, runtime = 'node' }: ProgramOptions,
  dataPlanePort = 0,
): Program {
  return startAgent({
    name,
    cluster: plan.name,
    kubeconfig,
    folder,
    runtime,
    relayPort,
    leaderElection: LEADER_ELECTION,
    // Envoys of this machine reach it by this name.
    config: { dataPlane: { listen: `127.0.0.1:${dataPlanePort}`, serverNames: ['127.0.0.1'] } },
  });
}
