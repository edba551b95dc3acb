/**
 * Targeted events: for each class of faults, the orders of events that break a program which ignores a lesson. The
 * exact time of each event is random.
 */
import { oneSick } from './storms/isolation.ts';
import { behindReplica, coldStart, lostMemory, registrations, shrinking } from './storms/servers.ts';
import type { Storm } from './storms/storm.ts';
import { cutStreams, gaps, rejections } from './storms/transport.ts';
import { doubles, lateWriter, leaderChange, races, sleeper, slowDeletion, slowWriter, wave } from './storms/writers.ts';

export const STORMS: Readonly<Record<string, Storm>> = {
  lateWriter,
  slowWriter,
  slowDeletion,
  wave,
  sleeper,
  doubles,
  races,
  leaderChange,
  coldStart,
  behindReplica,
  lostMemory,
  registrations,
  shrinking,
  gaps,
  rejections,
  cutStreams,
  oneSick,
};
