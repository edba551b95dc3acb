/** The leader looks after the agent's identity: registered for, renewed, and taken up where somebody else puts one. */
import type { LeaderDuty } from './duties.ts';

export const identityDuty: LeaderDuty = {
  name: 'identity',
  who: 'leader',
  start: ({ reign }) => reign.identity.start(),
};
