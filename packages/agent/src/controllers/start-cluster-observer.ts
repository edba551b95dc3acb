/** Leader: answers the server's queries for the whole cluster, from itself and the other replicas. */
import type { Fence } from '@meshrelay/cluster-controllers';
import { Secrets } from '@meshrelay/kube';
import { maintainPeerKeys, PeerKeyring } from '@meshrelay/peers';
import type { AgentContext } from '../agent-context.ts';
import { ClusterObserver } from '../observe/cluster-observer.ts';
import type { Observer } from '../observe/observer.ts';
import { AGENT_PEERS, AgentPeers } from '../peers/agent-peers.ts';

export interface RunningObserver extends AsyncDisposable {
  /** Answers queries for the whole cluster. */
  readonly observer: Observer;
  /** The other replicas; undefined if calls between replicas are disabled. */
  readonly peers: AgentPeers | undefined;
}

export function startClusterObserver(
  { config, connection, observer: own, replica, status, clock, now, logger }: AgentContext,
  fence: Fence,
): RunningObserver {
  const { namespace, kubernetes } = config;
  const { enabled, listen, selector } = config.peers;
  const keyring = new PeerKeyring({
    group: AGENT_PEERS,
    secrets: new Secrets(connection, namespace),
    check: () => fence.check(),
    now,
  });
  const inCluster = kubernetes.kubeconfig === undefined;
  const place = { connection, namespace, selector, replica, port: listen.port, inCluster };
  const peers = new AgentPeers(place, keyring);
  const noCaller = { find: async () => [], observer: peers.observer.bind(peers) };
  const observer = new ClusterObserver({
    replica,
    own,
    peers: enabled ? peers : noCaller,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    now,
  });
  const upkeep = enabled ? maintainPeerKeys(keyring, clock, logger.child('peers')) : undefined;
  status.observes = true;
  return {
    observer,
    peers: enabled ? peers : undefined,
    async [Symbol.asyncDispose]() {
      status.observes = false;
      await upkeep?.[Symbol.asyncDispose]();
    },
  };
}
