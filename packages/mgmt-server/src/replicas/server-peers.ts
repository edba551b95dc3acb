/** Replicas of the server among themselves: each answers the others for the agents connected to it, and asks them for theirs. */
import { type KubeConnection, Secrets, systemClock } from '@meshrelay/kube';
import {
  followPeerKeys,
  maintainPeerKeys,
  PeerDirectory,
  type PeerGroup,
  PeerKeyring,
  type PeerKeys,
  PeerServer,
  peerConnections,
} from '@meshrelay/peers';
import { afterReally } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { ServerConfig } from '../config/config.ts';
import type { AgentLookupContext } from '../observe/lookup-agent.ts';
import { CallForwarder, type ForwardResult } from './call-forwarder.ts';
import { OwnAgents } from './own-agents.ts';

/** The replicas of one server. */
export const SERVER_PEERS: PeerGroup = { secret: 'meshrelay-server-peers', name: 'server-peers.meshrelay' };

/** Questions of other replicas at once: as many as clusters that all readers of one of them may follow, and some searches. */
const MAX_CALLS = 288;

export interface ServerPeersOptions {
  readonly config: Pick<ServerConfig, 'kubernetes' | 'peers' | 'store'>;
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly replica: string;
  /** What this replica knows by itself. */
  readonly knowledge: Omit<AgentLookupContext, 'onPeer'>;
  readonly now: () => Date;
  readonly counted: (result: ForwardResult) => void;
  readonly logger: Logger;
}

export interface ServerPeers extends AsyncDisposable {
  readonly onPeer: CallForwarder;
  /** Where the others ask this one. */
  readonly server: PeerServer;
}

/** Whether there are others: replicas that share nothing know nothing of each other's agents. */
export function hasPeers({ peers, store }: Pick<ServerConfig, 'peers' | 'store'>): boolean {
  return peers.enabled ?? store.type === 'redis';
}

/** Until it is disposed of. @throws the error of an address that cannot be listened on */
export async function startServerPeers(options: ServerPeersOptions): Promise<ServerPeers> {
  const { config, connection, namespace, replica, knowledge, now, counted, logger } = options;
  const { listen, selector } = config.peers;
  await using cleanup = new AsyncDisposableStack();
  const server = cleanup.use(
    await PeerServer.start({
      listen,
      replica,
      max: MAX_CALLS,
      answers: new OwnAgents({ replica, agents: knowledge.agents, logger }),
      onFailed: (method, error) => logger.error('a question of another replica failed', { method, error }),
    }),
  );
  let keys: PeerKeys | undefined;
  const keyring = new PeerKeyring({ group: SERVER_PEERS, secrets: new Secrets(connection, namespace), now });
  const upkeep = cleanup.use(maintainPeerKeys(keyring, systemClock, logger));
  cleanup.use(
    followPeerKeys(connection, {
      group: SERVER_PEERS,
      namespace,
      take: (found) => {
        server.use(found);
        keys = found;
      },
      // Whoever is first makes them.
      missing: () => upkeep.trigger(),
      logger,
    }),
  );
  const inCluster = config.kubernetes.kubeconfig === undefined;
  const connections = cleanup.adopt(peerConnections(), (retained) => retained.destroy());
  const onPeer = new CallForwarder({
    connections,
    knowledge,
    directory: new PeerDirectory({
      ...{ connection, namespace, selector, replica, port: listen.port, inCluster },
      now: () => performance.now(),
    }),
    keys: () => keys,
    sleep: systemClock.sleep,
    after: afterReally,
    counted,
    logger,
  });
  const running = cleanup.move();
  return { onPeer, server, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
