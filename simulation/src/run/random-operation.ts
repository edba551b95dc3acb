/** Any operation on a fleet, with different probabilities. */
import { MANAGEMENT, type SimFleet } from '../fleet/fleet.ts';
import { REDIS } from '../redis/connect-redis.ts';
import { between, oneOf, type Random } from '../runtime/random.ts';
import type { Operation } from './operation.ts';

/** Names of the services that are created and deleted. */
export const SERVICES = ['a', 'b', 'c'] as const;

/** A random operation for this fleet. */
export function randomOperation(random: Random, fleet: Pick<SimFleet, 'clusters' | 'places'>, at: number): Operation {
  const places = [...fleet.places.values()];
  const cluster = (): string => oneOf(random, fleet.clusters);
  const name = (): string => oneOf(random, SERVICES);
  const place = (): string => oneOf(random, places).name;
  const host = (): string => oneOf(random, [MANAGEMENT, ...fleet.clusters]);
  /** From a program to an API server or a management server, or back. */
  const link = (): readonly [from: string, to: string] => {
    const { name: program, api } = oneOf(random, places);
    const servers = places.filter(({ api: of }) => of === MANAGEMENT).map(({ name: server }) => server);
    const peer = oneOf(random, api === MANAGEMENT ? [api, REDIS] : [api, ...servers]);
    return random() < 0.5 ? [program, peer] : [peer, program];
  };
  const lasts = (): number => between(random, 200, oneOf(random, [3_000, 12_000, 40_000]));
  const kinds: ReadonlyArray<readonly [weight: number, make: () => Operation]> = [
    [4, () => ({ at, do: 'put-service', cluster: cluster(), name: name(), port: between(random, 80, 90) })],
    [2, () => ({ at, do: 'delete-service', cluster: cluster(), name: name() })],
    [
      3,
      () => ({
        at,
        do: 'put-policy',
        name: oneOf(random, ['p', 'q']),
        service: name(),
        seconds: between(random, 1, 9),
      }),
    ],
    [1, () => ({ at, do: 'delete-policy', name: oneOf(random, ['p', 'q']) })],
    [1, () => ({ at, do: 'put-virtual-mesh', clusters: fleet.clusters.filter(() => random() < 0.7) })],
    [1, () => ({ at, do: 'delete-virtual-mesh' })],
    [5, () => ({ at, do: 'crash', place: place(), down: lasts() })],
    [2, () => ({ at, do: 'stop', place: place(), down: lasts() })],
    [2, () => ({ at, do: 'double', place: place(), frozen: lasts(), both: between(random, 500, 8_000) })],
    [3, () => ({ at, do: 'freeze', place: place(), how: oneOf(random, ['stopped', 'suspended']), lasts: lasts() })],
    [
      5,
      () => {
        const [from, to] = link();
        return { at, do: 'partition', from, to, both: random() < 0.6, lasts: lasts() };
      },
    ],
    [2, () => ({ at, do: 'drift', cluster: cluster(), pick: random(), how: oneOf(random, ['delete', 'edit']) })],
    [1, () => ({ at, do: 'api-down', host: host(), lasts: lasts() })],
    [2, () => ({ at, do: 'api-errors', host: host(), share: 0.1 + 0.8 * random(), lasts: lasts() })],
    [2, () => ({ at, do: 'silent-watches', host: host(), lasts: lasts() })],
    [2, () => ({ at, do: 'compact', host: host(), reset: random() < 0.7 })],
    [
      2,
      () => {
        const [from, to] = link();
        return { at, do: 'slow', from, to, by: oneOf(random, [50, 500, 4_000]), lasts: lasts() };
      },
    ],
    [2, () => ({ at, do: 'rate', place: place(), rate: oneOf(random, [0.85, 0.95, 1.05, 1.18]) })],
    [1, () => ({ at, do: 'wall', place: place(), by: between(random, -3_600_000, 600_000) })],
    [1, () => ({ at, do: 'suspend', cluster: cluster(), suspended: random() < 0.6 })],
    [1, () => ({ at, do: 'deregister', cluster: cluster() })],
    [1, () => ({ at, do: 'register', cluster: cluster() })],
    [2, () => ({ at, do: 'redis', how: oneOf(random, ['flush', 'restart', 'save', 'save', 'roll-back']) })],
    [1, () => ({ at, do: 'redis-down', lasts: lasts() })],
    [1, () => ({ at, do: 'tamper', pick: random() })],
    [2, () => ({ at, do: 'lease', cluster: cluster(), how: oneOf(random, ['delete', 'steal']) })],
  ];
  let rest = random() * kinds.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of kinds) {
    rest -= weight;
    if (rest < 0) return make();
  }
  throw new Error('no operation was chosen');
}
