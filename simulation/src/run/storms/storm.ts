/** A targeted order of events. */
import type { FleetShape, SimFleet } from '../../fleet/fleet.ts';
import type { Random } from '../../runtime/random.ts';
import type { Operation } from '../operation.ts';

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
