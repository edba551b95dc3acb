/** Leader: maintains the agent's identity and starts the transport to the server with it. */
import { Secrets } from '@meshrelay/kube';
import { makeIdentity } from '../identity/make-identity.ts';
import { relayTransport } from '../relay/relay-transport.ts';
import type { LeaderController } from './controllers.ts';

export const identityController: LeaderController = {
  name: 'identity',
  runsOn: 'leader',
  start(context) {
    const { connection, config, clock, random, logger, leaderTerm } = context;
    const identity = makeIdentity(context);
    const secrets = new Secrets(connection, config.namespace);
    leaderTerm.identity = identity;
    leaderTerm.transport = relayTransport({
      relay: config.relay,
      identity,
      secrets,
      clock,
      random,
      logger: logger.child('relay'),
    });
    return identity.start();
  },
};
