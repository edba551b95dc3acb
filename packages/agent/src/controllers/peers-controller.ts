/** Every replica: answers the leader's queries for what it received itself. */
import { followPeerKeys, PeerServer } from '@meshrelay/peers';
import { AGENT_PEERS } from '../peers/agent-peers.ts';
import { anyOf, envoyAnswers } from '../peers/envoy-answers.ts';
import { observedAnswers } from '../peers/observed-answers.ts';
import type { ReplicaController } from './controllers.ts';

export const peersController: ReplicaController = {
  name: 'peers',
  runsOn: 'everyReplica',
  async start({ config, connection, observer, replica, status, logger: log }) {
    const logger = log.child('peers');
    await using cleanup = new AsyncDisposableStack();
    if (!config.peers.enabled) return cleanup.move();
    const server = await PeerServer.start({
      listen: config.peers.listen,
      replica,
      answers: anyOf(
        observedAnswers(observer),
        envoyAnswers((question) => status.envoys?.answer(question)),
      ),
      onFailed: (method, error) => logger.error('a call of the leader failed', { method, error }),
    });
    cleanup.use(server);
    status.peers = server;
    const { namespace } = config;
    cleanup.use(
      followPeerKeys(connection, { group: AGENT_PEERS, namespace, take: (keys) => server.use(keys), logger }),
    );
    return cleanup.move();
  },
};
