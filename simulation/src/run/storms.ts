/**
 * Targeted events: for each class of faults, the orders of events that break a program which ignores a lesson. The
 * exact time of each event is random.
 */
import type { FleetShape, SimFleet } from '../fleet/fleet.ts';
import type { Random } from '../runtime/random.ts';
import type { Operation } from './operation.ts';
import { oneSick } from './storms/isolation.ts';
import { behindReplica, coldStart, lostMemory, registrations, shrinking } from './storms/servers.ts';
import { cutStreams, gaps, rejections } from './storms/transport.ts';
import { doubles, lateWriter, leaderChange, races, sleeper, slowDeletion, slowWriter, wave } from './storms/writers.ts';

/** The part of a fleet that describes its size. */
export type Cast = Pick<SimFleet, 'clusters' | 'places'>;

export interface Storm {
  /** Whether it applies to such a fleet. */
  readonly suits?: (shape: FleetShape) => boolean;
  /** Whether no other operation may happen at the same time. */
  readonly alone?: boolean;
  /** @param from when it begins, in simulated milliseconds */
  readonly make: (random: Random, cast: Cast, from: number) => Operation[];
}

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
