/** A storm in a single cluster: the others must continue. */
import { between, oneOf, type Random } from '../../runtime/random.ts';
import type { Operation } from '../operation.ts';
import { apart, change, drift, replicas, retime, servers } from './cast.ts';
import type { Cast, Storm } from './storm.ts';

/**
 * One cluster has every fault at once, while users change objects of the others, and timeouts everywhere. No other
 * operation runs.
 */
export const oneSick: Storm = {
  suits: ({ clusters }) => clusters > 1,
  alone: true,
  make: (random, cast, from) => {
    const sick = oneOf(random, cast.clusters);
    const others = cast.clusters.filter((cluster) => cluster !== sick);
    const span = between(random, 5_000, 40_000);
    const within = (): number => from + between(random, 0, span);
    return [
      ...Array.from({ length: between(random, 2, 8) }, () => misfortune(random, cast, sick, within())).flat(),
      ...Array.from({ length: between(random, 4, 12) }, () =>
        random() < 0.4 ? retime(random, within()) : change(random, cast, within(), oneOf(random, others)),
      ),
      { at: from + span + 8_000, do: 'wait' },
    ];
  },
};

function misfortune(random: Random, cast: Cast, cluster: string, at: number): Operation[] {
  const agents = replicas(cast, cluster);
  const agent = oneOf(random, agents);
  const lasts = between(random, 300, oneOf(random, [3_000, 30_000]));
  const kinds: ReadonlyArray<() => Operation[]> = [
    () => agents.map((place): Operation => ({ at, do: 'crash', place, down: lasts })),
    () => [{ at, do: 'crash', place: agent, down: lasts }],
    () => [{ at, do: 'stop', place: agent, down: lasts }],
    () => [{ at, do: 'freeze', place: agent, how: oneOf(random, ['stopped', 'suspended']), lasts }],
    () => apart(agents, servers(cast), at, lasts),
    () => [{ at, do: 'partition', from: oneOf(random, servers(cast)), to: agent, both: false, lasts }],
    () => [{ at, do: 'slow', from: agent, to: oneOf(random, servers(cast)), by: 4_000, lasts }],
    () => [{ at, do: 'cut', from: agent, to: oneOf(random, servers(cast)), after: between(random, 1, 10) }],
    () => [{ at, do: 'api-down', host: cluster, lasts }],
    () => [{ at, do: 'api-errors', host: cluster, share: 0.2 + 0.8 * random(), lasts }],
    () => [{ at, do: 'silent-watches', host: cluster, lasts }],
    () => [{ at, do: 'compact', host: cluster, reset: true }],
    () => [drift(random, cluster, at)],
    () => [{ at, do: 'lease', cluster, how: oneOf(random, ['delete', 'steal']) }],
    () => [change(random, cast, at, cluster)],
    () => [{ at, do: 'suspend', cluster, suspended: random() < 0.6 }],
  ];
  return oneOf(random, kinds)();
}
