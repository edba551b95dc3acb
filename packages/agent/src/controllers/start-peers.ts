/** Every replica: answers the leader's queries for what it received itself. */
import { followPeerKeys, PeerServer } from '@meshrelay/peers';
import type { AgentContext } from '../agent-context.ts';
import type { EnvoyConfiguration } from '../data-plane/configuration/envoy-configuration.ts';
import { AGENT_PEERS } from '../peers/agent-peers.ts';
import { anyOf, envoyAnswers } from '../peers/envoy-answers.ts';
import { observedAnswers } from '../peers/observed-answers.ts';

export async function startPeers(
  { config, connection, observer, replica, status, logger: log }: AgentContext,
  envoys: Pick<EnvoyConfiguration, 'answer'> | undefined,
): Promise<AsyncDisposable> {
  const logger = log.child('peers');
  await using cleanup = new AsyncDisposableStack();
  if (!config.peers.enabled) return cleanup.move();
  const server = await PeerServer.start({
    listen: config.peers.listen,
    replica,
    answers: anyOf(
      observedAnswers(observer),
      envoyAnswers((question) => envoys?.answer(question)),
    ),
    onFailed: (method, error) => logger.error('a call of the leader failed', { method, error }),
  });
  cleanup.use(server);
  status.peers = server;
  const { namespace } = config;
  cleanup.use(followPeerKeys(connection, { group: AGENT_PEERS, namespace, take: (keys) => server.use(keys), logger }));
  return cleanup.move();
}
