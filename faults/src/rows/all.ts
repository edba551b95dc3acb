/** Every row, in the order in which they run. */

import type { Row } from '../trial/row.ts';
import { directLeaderKilled, directLeaderStopped } from './direct.ts';
import { leaderKilled } from './f01-leader-killed.ts';
import { leaderEnds } from './f02-leader-ends.ts';
import { leaderStopped } from './f03-leader-stopped.ts';
import { twoLeaders } from './f05-two-leaders.ts';
import { sameName } from './f07-same-name.ts';
import { watchExpired } from './f10-watch-expired.ts';
import { listBreaks } from './f13-list-breaks.ts';
import { kindForbidden, kindRemoved } from './f14-kind-forbidden.ts';
import { partialApply } from './f17-partial-apply.ts';
import { onlyServerKilled, serverKilled } from './f19-server-killed.ts';
import { forwarded } from './f19p-forwarded.ts';
import { allServersKilled } from './f20-all-servers-killed.ts';
import { halfOpen, silentServer } from './f22-half-open.ts';
import { connectionEnds } from './f23-connection-ends.ts';
import { twoStreams } from './f25-two-streams.ts';
import { slowAgent } from './f27-slow-agent.ts';
import { redisEmptied, redisForgets, redisKilled } from './f28-redis-gone.ts';
import { everythingRestarted, oneNeverReturns } from './f31-safe-mode.ts';
import { redisSick } from './f33-redis-sick.ts';
import { redisOlder } from './f34-redis-older.ts';
import { redisParted } from './f35-redis-parted.ts';
import { agentAway } from './f36-agent-away.ts';
import { emptySnapshot } from './f37-empty-snapshot.ts';
import { observedDeletions } from './f38-deletions.ts';
import { deregistered } from './f39-deregistered.ts';
import { rootRotated } from './f42-root-rotated.ts';
import { revoked } from './f43-revoked.ts';
import { poison } from './f47-poison.ts';

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
  onlyServerKilled,
  halfOpen,
  connectionEnds,
  twoStreams,
  slowAgent,
  agentAway,
  rootRotated,
  emptySnapshot,
  observedDeletions,
  revoked,
  poison,
  deregistered,
  serverKilled,
  forwarded,
  silentServer,
  allServersKilled,
  redisKilled,
  redisEmptied,
  redisForgets,
  everythingRestarted,
  oneNeverReturns,
  redisSick,
  redisOlder,
  redisParted,
  directLeaderKilled,
  directLeaderStopped,
];

/** Promised rows that cannot pass yet, each with the reason. They are printed and counted as skipped. */
export const NOT_YET: Readonly<Record<string, string>> = {};
