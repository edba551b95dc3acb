/**
 * Calls between replicas of the server: each serves the others with the answers of its agents, and calls agents through
 * them.
 */
import { systemClock } from '@meshrelay/concurrency';
import { type KubeConnection, Secrets } from '@meshrelay/kube';
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

export const SERVER_PEERS: PeerGroup = { secret: 'meshrelay-server-peers', name: 'server-peers.meshrelay' };

/**
 * Maximum concurrent calls by other replicas: all clusters that the readers of one replica may follow, and some
 * searches.
 */
const MAX_CALLS = 288;

export interface ServerPeersOptions {
  readonly config: Pick<ServerConfig, 'kubernetes' | 'peers' | 'store'>;
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly replica: string;
  /** This replica's own lookup context. */
  readonly knowledge: Omit<AgentLookupContext, 'onPeer'>;
  readonly now: () => Date;
  readonly counted: (result: ForwardResult) => void;
  readonly logger: Logger;
}

export interface ServerPeers extends AsyncDisposable {
  readonly onPeer: CallForwarder;
  /** The server that other replicas call. */
  readonly server: PeerServer;
}

/** Whether there are other replicas: without a shared store they do not know each other's agents. */
export function hasPeers({ peers, store }: Pick<ServerConfig, 'peers' | 'store'>): boolean {
  return peers.enabled ?? store.type === 'redis';
}

/** Runs until disposed. @throws the error of an address that it cannot listen on */
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
      onFailed: (method, error) => logger.error('a call of another replica failed', { method, error }),
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
      // The first replica generates them.
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
