/** Storms about who writes: two leaders, writes that come late, objects that change under the writer. */
import { between, oneOf } from '../../runtime/random.ts';
import type { Operation } from '../operation.ts';
import type { Storm } from '../storms.ts';
import { apart, change, changes, drift, servers, splitAgents } from './cast.ts';

/** A leader stops in the middle of its work and wakes when another leads, which has not got to the same objects yet. */
export const lateWriter: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const lasts = between(random, 14_000, 40_000);
    const frozen = from + between(random, 0, oneOf(random, [30, 120, 500]));
    return [
      ...changes(random, cast, { from, span: 60, count: between(random, 1, 4) }),
      ...(random() < 0.5 ? [drift(random, cluster, from + between(random, 0, 60))] : []),
      { at: frozen, do: 'freeze', place: one, how: 'stopped', lasts },
      ...(random() < 0.7 ? apart(others, servers(cast), frozen, lasts + between(random, 1_000, 9_000)) : []),
      ...changes(random, cast, { from: frozen, span: lasts, count: between(random, 0, 4) }),
      ...Array.from({ length: between(random, 0, 3) }, () =>
        drift(random, cluster, frozen + between(random, 0, lasts)),
      ),
    ];
  },
};

/** Requests of a leader take long; it is replaced while they are on their way. */
export const slowWriter: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one] = splitAgents(random, cast, cluster);
    const by = between(random, 1_500, 25_000);
    const lasts = between(random, 300, 8_000);
    const end: readonly Operation[] = [
      { at: from + between(random, 100, 4_000), do: 'crash', place: one, down: between(random, 200, 9_000) },
      { at: from + between(random, 100, 4_000), do: 'stop', place: one, down: between(random, 200, 9_000) },
      { at: from + between(random, 100, 4_000), do: 'lease', cluster, how: oneOf(random, ['delete', 'steal']) },
    ];
    return [
      { at: from, do: 'slow', from: one, to: cluster, by, lasts },
      ...changes(random, cast, { from: from + 5, span: lasts, count: between(random, 2, 5) }),
      ...(random() < 0.8 ? [oneOf(random, end)] : []),
      ...changes(random, cast, { from: from + 1_000, span: by + lasts, count: between(random, 2, 5) }),
      ...(random() < 0.5 ? [drift(random, cluster, from + between(random, 0, by))] : []),
    ];
  },
};

/** A pod that is given up for lost lives on beside its successor of the same name. */
export const doubles: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const frozen = between(random, 200, oneOf(random, [2_000, 9_000, 20_000]));
    const both = between(random, 8_000, 30_000);
    const lonely = random() < 0.6;
    return [
      ...(lonely ? others.map((place): Operation => ({ at: from, do: 'crash', place, down: frozen + both })) : []),
      ...(lonely ? [{ at: from, do: 'lease', cluster, how: 'delete' } as const] : []),
      { at: from + (lonely ? 6_000 : 0), do: 'double', place: one, frozen, both },
      ...changes(random, cast, { from, span: frozen + both + 6_000, count: between(random, 5, 12) }),
      ...Array.from({ length: between(random, 1, 4) }, () =>
        drift(random, cluster, from + between(random, 0, frozen + both + 6_000)),
      ),
    ];
  },
};

/** Hands are in what is being written, again and again. */
export const races: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    return Array.from({ length: between(random, 2, 7) }, (_, turn) => {
      const at = from + turn * between(random, 20, 3_000);
      const by = oneOf(random, [5, 20, 60, 200]);
      return [
        change(random, cast, at),
        ...Array.from({ length: between(random, 1, 4) }, () => drift(random, cluster, at + between(random, 0, by))),
      ];
    }).flat();
  },
};

/** What is wanted changes while nobody leads, or just as somebody begins to. */
export const leaderChange: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const down = between(random, 500, 20_000);
    const how = oneOf(random, ['crash', 'stop'] as const);
    return [
      ...changes(random, cast, { from, span: 300, count: between(random, 0, 3) }),
      { at: from + between(random, 0, 300), do: how, place: one, down },
      ...(random() < 0.6 ? others.map((place): Operation => ({ at: from + 150, do: 'crash', place, down })) : []),
      ...changes(random, cast, { from, span: down + 2_000, count: between(random, 2, 6) }),
      ...(random() < 0.3
        ? [{ at: from + between(random, 0, down), do: 'lease', cluster, how: 'delete' } as const]
        : []),
    ];
  },
};
