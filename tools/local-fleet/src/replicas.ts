/** Replicas of the server and of agents, run from the sources as processes. */
import { NAMESPACE } from './cluster.ts';
import { Program, type Runtime } from './program.ts';
import type { RunFolder } from './run-folder.ts';

/** The address that agents dial and that the server's certificate contains. */
const SERVER_NAME = 'mgmt-server.meshrelay';

/** Lease durations in milliseconds. */
export interface ElectionTimes {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** Options of replicas of both programs. */
export interface ReplicaSpec {
  /** Name of the replica, and of its log. */
  readonly name: string;
  /** Its identity in the Lease, if different. */
  readonly replica?: string;
  /** Path of the kubeconfig it uses. */
  readonly kubeconfig: string;
  readonly leaderElection: ElectionTimes;
  readonly folder: RunFolder;
  /** Configuration in addition to these options. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: Node. */
  readonly runtime?: Runtime;
}

export interface ServerSpec extends ReplicaSpec {
  /** Port to listen on: 0 for any free port. */
  readonly ports: { readonly relay: number; readonly http: number };
}

export interface AgentSpec extends ReplicaSpec {
  /** The cluster for which it is registered. */
  readonly cluster: string;
  /** The server's port on loopback. */
  readonly relayPort: number;
}

const ANY = '127.0.0.1:0';

/** Starts a server. Its ports are in the first line of its log with `management server started`. */
export function startServer({
  name,
  kubeconfig,
  leaderElection,
  folder,
  ports,
  config = {},
  env = {},
  runtime = 'node',
  replica = name,
}: ServerSpec): Program {
  const file = folder.writeConfig(name, {
    namespace: NAMESPACE,
    replica,
    relay: { listen: `127.0.0.1:${ports.relay}`, serverNames: [SERVER_NAME], serverAddresses: ['127.0.0.1'] },
    kubernetes: { kubeconfig },
    http: { listen: `127.0.0.1:${ports.http}` },
    health: { listen: ANY },
    peers: { listen: ANY },
    leaderElection,
    ...config,
  });
  const logFile = folder.logFile(name);
  return new Program({ name, program: 'mgmt-server', config: file, logFile, env, runtime });
}

/** Starts one replica of an agent. */
export function startAgent(spec: AgentSpec): Program {
  const { name, kubeconfig, leaderElection, folder, cluster, relayPort, config = {}, replica = name } = spec;
  const { env = {}, runtime = 'node' } = spec;
  const file = folder.writeConfig(name, {
    namespace: NAMESPACE,
    replica,
    relay: { serverAddress: `127.0.0.1:${relayPort}`, authority: SERVER_NAME, cluster },
    kubernetes: { kubeconfig },
    health: { listen: ANY },
    stats: { listen: ANY },
    dataPlane: { listen: ANY },
    peers: { listen: ANY },
    leaderElection,
    ...config,
  });
  const logFile = folder.logFile(name);
  return new Program({ name, program: 'agent', config: file, logFile, env, runtime });
}
