/** A schedule: a fleet, and its operations with their times. */
import { type FleetShape, SimFleet } from '../fleet/fleet.ts';
import { between, oneOf, type Random, randomOf } from '../runtime/random.ts';
import type { Operation } from './operation.ts';
import { randomOperation } from './random-operation.ts';
import type { Storm } from './storms/storm.ts';
import { STORMS } from './storms.ts';

export interface Schedule {
  readonly seed: string;
  readonly shape: FleetShape;
  /** Sorted by time. */
  readonly operations: readonly Operation[];
  /**
   * Milliseconds for which the final state must hold without a write. By default, as long as the longest periodic task.
   */
  readonly calm?: number;
}

/**
 * Small fleets are fast and find most bugs; some are as large as possible. Each size with its share of sixteen
 * schedules.
 */
const SHAPES: readonly FleetShape[] = [
  ...shapes(2, { servers: 1, clusters: 1, agents: 2, shared: false }),
  ...shapes(4, { servers: 1, clusters: 2, agents: 2, shared: false }),
  ...shapes(2, { servers: 1, clusters: 2, agents: 2, shared: true }),
  ...shapes(5, { servers: 2, clusters: 2, agents: 2, shared: true }),
  ...shapes(2, { servers: 2, clusters: 3, agents: 2, shared: true }),
  ...shapes(1, { servers: 3, clusters: 4, agents: 2, shared: true }),
];

/** Time at which the fleet has settled and operations begin, in milliseconds. */
export const SETTLED = 10_000;
/** Milliseconds, and the share of schedules that use them; the other schedules cover tasks with a longer period. */
const SHORT_CALM = 15_000;
const SHORT_CALMS = 0.75;
/** The share of schedules with arbitrary operations; the others contain a storm. */
const ANYTHING = 0.3;

/** The schedule of a seed. A seed that begins with the name of a storm and a colon has that storm. */
export function randomSchedule(seed: string): Schedule {
  const random = randomOf(`${seed}/schedule`);
  const storm = chooseStorm(random, seed);
  const shape = oneOf(random, SHAPES.filter(storm?.suits ?? (() => true)));
  const fleet = new SimFleet(seed, shape);
  const count = storm === undefined ? between(random, 3, 13) : storm.alone === true ? 0 : between(random, 0, 4);
  const span = oneOf(random, [5_000, 30_000, 60_000]);
  // Some operations happen while the fleet is still starting.
  const times = Array.from({ length: count }, () => Math.floor((random() < 0.15 ? 0 : SETTLED) + random() * span));
  const operations = times.map((at) => randomOperation(random, fleet, at));
  if (storm !== undefined) operations.push(...storm.make(random, fleet, SETTLED + between(random, 0, 3_000)));
  const calm = randomOf(`${seed}/calm`)() < SHORT_CALMS ? { calm: SHORT_CALM } : {};
  return { seed, shape, operations: operations.sort((a, b) => a.at - b.at), ...calm };
}

function chooseStorm(random: Random, seed: string): Storm | undefined {
  const [name = ''] = seed.split(':');
  const named = Object.hasOwn(STORMS, name) ? STORMS[name] : undefined;
  const any = random() < ANYTHING ? undefined : oneOf(random, Object.values(STORMS));
  return named ?? any;
}

function shapes(count: number, shape: FleetShape): FleetShape[] {
  return Array.from({ length: count }, () => shape);
}
