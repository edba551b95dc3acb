/**
 * Storms about the servers' state: cold starts, replicas that lag behind, lost memory, clusters that are registered and
 * deregistered.
 */
import { MANAGEMENT } from '../../fleet/fleet.ts';
import { REDIS } from '../../redis/connect-redis.ts';
import { between, oneOf, type Random } from '../../runtime/random.ts';
import type { Operation } from '../operation.ts';
import { apart, changes, drift, replicas, servers, splitAgents } from './cast.ts';
import type { Storm } from './storm.ts';

/** All servers restart with little or no memory, and some clusters stay away for a while. */
export const coldStart: Storm = {
  make: (random, cast, from) => {
    const down = between(random, 300, 8_000);
    const absent = cast.clusters.filter(() => random() < 0.5);
    const lasts = down + between(random, 3_000, 40_000);
    return [
      ...changes(random, cast, { from, span: 500, count: between(random, 0, 3) }),
      ...(random() < 0.7
        ? [{ at: from + 550, do: 'redis', how: oneOf(random, ['flush', 'restart'] as const) } as const]
        : []),
      ...servers(cast).map(
        (place): Operation => ({
          at: from + 500 + between(random, 0, 200),
          do: 'crash',
          place,
          down: down + between(random, 0, 1_000),
        }),
      ),
      ...absent.flatMap((cluster) => apart(replicas(cast, cluster), servers(cast), from + 480, lasts)),
      ...changes(random, cast, { from: from + 500, span: lasts, count: between(random, 1, 5) }),
      ...(random() < 0.4 ? [{ at: from + between(random, 500, lasts), do: 'redis', how: 'flush' } as const] : []),
      ...(random() < 0.5
        ? [
            {
              at: from + between(random, 500, lasts),
              do: 'crash',
              place: splitAgents(random, cast, oneOf(random, cast.clusters))[0],
              down: 1_000,
            } as const,
          ]
        : []),
      ...(random() < 0.3 ? [failingLists(random, from + 500, lasts)] : []),
    ];
  },
};

/** Starting servers learn all kinds of the management cluster but one. */
function failingLists(random: Random, at: number, lasts: number): Operation {
  const plural = oneOf(random, ['kubernetesclusters', 'ledgers', 'trafficpolicies', 'virtualmeshes']);
  return { at, do: 'failing-lists', host: MANAGEMENT, plural, lasts: lasts + between(random, 0, 20_000) };
}

/** A replica misses what the others receive, and then serves agents that have already applied it. */
export const behindReplica: Storm = {
  suits: ({ servers: count, shared }) => shared && count > 1,
  make: (random, cast, from) => {
    const all = servers(cast);
    const behind = oneOf(random, all);
    const lasts = between(random, 6_000, 45_000);
    const turn = from + between(random, 1_000, lasts);
    const back = between(random, 2_000, 20_000);
    const how = oneOf(random, ['crash', 'stop'] as const);
    return [
      ...apart([behind], [REDIS], from, lasts),
      ...changes(random, cast, { from, span: lasts, count: between(random, 3, 9) }),
      ...(random() < 0.7
        ? all
            .filter((place) => place !== behind)
            .map((place): Operation => ({ at: turn + between(random, 0, 500), do: how, place, down: back }))
        : cast.clusters.flatMap((cluster) =>
            replicas(cast, cluster).map(
              (agent): Operation => ({
                at: turn,
                do: 'cut',
                from: agent,
                to: oneOf(random, all),
                after: 1,
              }),
            ),
          )),
      ...changes(random, cast, { from: turn, span: back, count: between(random, 0, 4) }),
    ];
  },
};

/** The servers' shared state is lost, rolled back or tampered with, while servers start and stop. */
export const lostMemory: Storm = {
  suits: ({ shared }) => shared,
  make: (random, cast, from) => {
    const span = between(random, 1_000, 30_000);
    const within = (): number => from + between(random, 0, span);
    const all = servers(cast);
    return [
      { at: from, do: 'redis', how: 'save' },
      ...changes(random, cast, { from, span, count: between(random, 2, 7) }),
      ...Array.from(
        { length: between(random, 1, 4) },
        (): Operation => ({
          at: within(),
          do: 'redis',
          how: oneOf(random, ['flush', 'restart', 'roll-back', 'roll-back']),
        }),
      ),
      ...(random() < 0.3 ? [{ at: within(), do: 'tamper', pick: random() } as const] : []),
      ...(random() < 0.3 ? [{ at: within(), do: 'redis-down', lasts: between(random, 500, 15_000) } as const] : []),
      ...all
        .filter(() => random() < 0.6)
        .map((place): Operation => ({ at: within(), do: 'crash', place, down: between(random, 300, 9_000) })),
      ...(random() < 0.5 ? apart([oneOf(random, all)], [REDIS], within(), between(random, 1_000, 15_000)) : []),
    ];
  },
};

/**
 * A cluster is deregistered and registered again. Meanwhile it changes, or another cluster takes its name, and possibly
 * one server misses all of it.
 */
export const registrations: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const away = between(random, 100, oneOf(random, [1_000, 8_000, 30_000]));
    const ends = from + between(random, 0, 1_000);
    const [one] = splitAgents(random, cast, cluster);
    return [
      ...changes(random, cast, { from, span: 500, count: between(random, 0, 3), cluster }),
      ...(random() < 0.4
        ? apart(replicas(cast, cluster), servers(cast), ends - 100, away + between(random, 0, 9_000))
        : []),
      ...(random() < 0.3
        ? apart(
            [oneOf(random, servers(cast))],
            [MANAGEMENT],
            ends - between(random, 50, 2_000),
            away + between(random, 0, 9_000),
          )
        : []),
      { at: ends, do: 'deregister', cluster },
      ...changes(random, cast, { from: ends, span: away + 1_000, count: between(random, 1, 5), cluster }),
      ...(random() < 0.4 ? [{ at: ends + between(random, 0, away), do: 'crash', place: one, down: 800 } as const] : []),
      { at: ends + away, do: 'register', cluster },
      ...changes(random, cast, { from: ends + away, span: 3_000, count: between(random, 0, 3) }),
      ...(random() < 0.3 ? [{ at: ends + away + 400, do: 'deregister', cluster } as const] : []),
    ];
  },
};

/**
 * More objects are deleted at once than is allowed without approval. The deletion waits until a user approves it, or
 * forever, whatever happens meanwhile.
 */
export const shrinking: Storm = {
  suits: ({ clusters }) => clusters === 2,
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const others = cast.clusters.filter((other) => other !== cluster);
    const reductions = from + between(random, 3_000, 8_000);
    const span = between(random, 2_000, 25_000);
    const within = (): number => reductions + between(random, 0, span);
    return [
      { at: from, do: 'put-services', cluster, count: between(random, 13, 17) },
      { at: reductions, do: 'put-virtual-mesh', clusters: others },
      ...(random() < 0.6
        ? servers(cast).map(
            (place): Operation => ({ at: within(), do: 'crash', place, down: between(random, 300, 6_000) }),
          )
        : []),
      ...(random() < 0.4 ? [{ at: within(), do: 'redis', how: 'flush' } as const] : []),
      ...(random() < 0.4
        ? [
            {
              at: within(),
              do: 'crash',
              place: splitAgents(random, cast, oneOf(random, others))[0],
              down: 900,
            } as const,
          ]
        : []),
      ...(random() < 0.4 ? [drift(random, oneOf(random, others), within())] : []),
      ...(random() < 0.4 ? cast.clusters.map((one) => ({ at: within(), do: 'approve', cluster: one }) as const) : []),
      ...(random() < 0.3 ? [{ at: within(), do: 'put-virtual-mesh', clusters: cast.clusters } as const] : []),
      ...(random() < 0.3
        ? [{ at: within(), do: 'delete-services', cluster, count: between(random, 1, 13) } as const]
        : []),
    ];
  },
};
