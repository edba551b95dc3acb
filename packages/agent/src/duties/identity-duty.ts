/** The leader looks after the agent's identity, and lays the road to the server with it. */
import { Secrets } from '@meshrelay/kube';
import { makeIdentity } from '../identity/make-identity.ts';
import { relayRoad } from '../relay/relay-road.ts';
import type { LeaderDuty } from './duties.ts';

export const identityDuty: LeaderDuty = {
  name: 'identity',
  who: 'leader',
  start(context) {
    const { connection, config, clock, random, logger, reign } = context;
    const identity = makeIdentity(context);
    const secrets = new Secrets(connection, config.namespace);
    reign.identity = identity;
    reign.road = relayRoad({ relay: config.relay, identity, secrets, clock, random, logger: logger.child('relay') });
    return identity.start();
  },
};
