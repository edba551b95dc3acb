/** Every row there is, in the order in which they are run. */
import { leaderKilled } from './f01-leader-killed.ts';
import { leaderEnds } from './f02-leader-ends.ts';
import { watchExpired } from './f10-watch-expired.ts';
import { listBreaks } from './f13-list-breaks.ts';
import { kindForbidden, kindRemoved } from './f14-kind-forbidden.ts';
import { serverKilled } from './f19-server-killed.ts';
import { halfOpen } from './f22-half-open.ts';
import type { Row } from './row.ts';

export const ROWS: readonly Row[] = [
  leaderKilled,
  leaderEnds,
  watchExpired,
  listBreaks,
  kindForbidden,
  kindRemoved,
  serverKilled,
  halfOpen,
];

/** Rows that are promised and cannot be passed yet, each with the reason. They are printed and counted as skipped. */
export const NOT_YET: Readonly<Record<string, string>> = {};
