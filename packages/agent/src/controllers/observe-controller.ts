/** Leader: answers the server's queries for the whole cluster, from itself and the other replicas. */
import { Secrets } from '@meshrelay/kube';
import { maintainPeerKeys, PeerKeyring } from '@meshrelay/peers';
import { ClusterObserver } from '../observe/cluster-observer.ts';
import { AGENT_PEERS, AgentPeers } from '../peers/agent-peers.ts';
import type { LeaderController } from './controllers.ts';

export const observeController: LeaderController = {
  name: 'observe',
  runsOn: 'leader',
  start({ config, connection, observer, replica, clock, now, logger, leaderTerm }) {
    const { namespace, kubernetes } = config;
    const { enabled, listen, selector } = config.peers;
    const keyring = new PeerKeyring({
      group: AGENT_PEERS,
      secrets: new Secrets(connection, namespace),
      check: () => leaderTerm.fence.check(),
      now,
    });
    const inCluster = kubernetes.kubeconfig === undefined;
    const place = { connection, namespace, selector, replica, port: listen.port, inCluster };
    const peers = new AgentPeers(place, keyring);
    leaderTerm.peers = enabled ? peers : undefined;
    const noCaller = { find: async () => [], observer: peers.observer.bind(peers) };
    leaderTerm.observer = new ClusterObserver({
      replica,
      own: observer,
      peers: enabled ? peers : noCaller,
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
      now,
    });
    const upkeep = enabled ? maintainPeerKeys(keyring, clock, logger.child('peers')) : undefined;
    return {
      async [Symbol.asyncDispose]() {
        leaderTerm.observer = undefined;
        leaderTerm.peers = undefined;
        await upkeep?.[Symbol.asyncDispose]();
      },
    };
  },
};
