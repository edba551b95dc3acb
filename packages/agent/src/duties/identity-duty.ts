/** The leader looks after the client certificate: a token that arrives is used, or removed when none is needed. */
import { watchToken } from '../identity/token-watch.ts';
import type { LeaderDuty } from './duties.ts';

export const identityDuty: LeaderDuty = {
  name: 'identity',
  who: 'leader',
  start: ({ connection, config, reign }) =>
    watchToken(connection, config.namespace, () => void reign.identity.refresh()),
};
