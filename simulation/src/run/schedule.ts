/** A schedule: a fleet, and what happens to it when. */
import { type FleetShape, SimFleet } from '../fleet/fleet.ts';
import { between, oneOf, randomOf } from '../runtime/random.ts';
import { type Operation, randomOperation } from './operations.ts';

export interface Schedule {
  readonly seed: string;
  readonly shape: FleetShape;
  /** In the order of time. */
  readonly operations: readonly Operation[];
}

/** Small fleets are quick and find most; some are as large as they come. */
const SHAPES: readonly FleetShape[] = [
  { servers: 1, clusters: 1, agents: 2, shared: false },
  { servers: 1, clusters: 2, agents: 2, shared: false },
  { servers: 1, clusters: 2, agents: 2, shared: false },
  { servers: 1, clusters: 2, agents: 2, shared: true },
  { servers: 2, clusters: 2, agents: 2, shared: true },
  { servers: 2, clusters: 2, agents: 2, shared: true },
  { servers: 2, clusters: 3, agents: 2, shared: true },
  { servers: 3, clusters: 4, agents: 2, shared: true },
];

/** When the fleet has settled, and things begin to happen, in milliseconds. */
export const SETTLED = 10_000;

/** The schedule of a seed. */
export function randomSchedule(seed: string): Schedule {
  const random = randomOf(`${seed}/schedule`);
  const shape = oneOf(random, SHAPES);
  const fleet = new SimFleet(seed, shape);
  const count = between(random, 3, 13);
  const span = oneOf(random, [5_000, 30_000, 80_000]);
  // Some of it happens while the fleet is still coming up.
  const times = Array.from({ length: count }, () => Math.floor((random() < 0.15 ? 0 : SETTLED) + random() * span));
  const operations = times.sort((a, b) => a - b).map((at) => randomOperation(random, fleet, at));
  return { seed, shape, operations };
}
