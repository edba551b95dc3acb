/** Every row there is, in the order in which they are run. */
import { leaderKilled } from './f01-leader-killed.ts';
import { leaderEnds } from './f02-leader-ends.ts';
import { leaderStopped } from './f03-leader-stopped.ts';
import { twoLeaders } from './f05-two-leaders.ts';
import { sameName } from './f07-same-name.ts';
import { watchExpired } from './f10-watch-expired.ts';
import { listBreaks } from './f13-list-breaks.ts';
import { kindForbidden, kindRemoved } from './f14-kind-forbidden.ts';
import { partialApply } from './f17-partial-apply.ts';
import { serverKilled } from './f19-server-killed.ts';
import { halfOpen } from './f22-half-open.ts';
import { connectionEnds } from './f23-connection-ends.ts';
import { twoStreams } from './f25-two-streams.ts';
import { slowAgent } from './f27-slow-agent.ts';
import { agentAway } from './f36-agent-away.ts';
import { rootRotated } from './f42-root-rotated.ts';
import { revoked } from './f43-revoked.ts';
import { poison } from './f47-poison.ts';
import type { Row } from './row.ts';

export const ROWS: readonly Row[] = [
  leaderKilled,
  leaderEnds,
  leaderStopped,
  twoLeaders,
  sameName,
  watchExpired,
  listBreaks,
  kindForbidden,
  kindRemoved,
  partialApply,
  serverKilled,
  halfOpen,
  connectionEnds,
  twoStreams,
  slowAgent,
  agentAway,
  rootRotated,
  revoked,
  poison,
];

/** Rows that are promised and cannot be passed yet, each with the reason. They are printed and counted as skipped. */
export const NOT_YET: Readonly<Record<string, string>> = {
  F20: 'needs servers that share snapshots through Redis',
  'F28-F35': 'need servers that share snapshots through Redis',
  F37: 'needs the guard over outputs that shrink',
  F38: 'needs the guard over outputs that shrink, and meshctl approve',
  F39: 'needs meshctl cluster deregister',
  F48: 'needs the load of many agents',
};
