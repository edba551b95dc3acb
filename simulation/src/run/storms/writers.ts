/** Storms about writers: two leaders, late writes, objects that change under the writer. */
import { between, oneOf } from '../../runtime/random.ts';
import type { Operation } from '../operation.ts';
import { apart, change, changes, crown, drift, retime, servers, splitAgents } from './cast.ts';
import type { Storm } from './storm.ts';

/**
 * A leader stops in the middle of its work, and resumes when another leads that has not reached the same objects yet.
 */
export const lateWriter: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const lasts = between(random, 14_000, 40_000);
    const frozen = from + between(random, 0, oneOf(random, [30, 120, 500]));
    return [
      ...crown(others, 4_000),
      ...changes(random, cast, { from, span: 60, count: between(random, 0, 3) }),
      ...(random() < 0.5 ? [drift(random, cluster, from + between(random, 0, 60))] : []),
      // Sent to the stopped leader, which receives it first when it resumes.
      retime(random, frozen + between(random, -4, 500)),
      { at: frozen, do: 'freeze', place: one, how: 'stopped', lasts },
      ...(random() < 0.7 ? apart(others, servers(cast), frozen, lasts + between(random, 1_000, 9_000)) : []),
      ...changes(random, cast, { from: frozen, span: lasts, count: between(random, 0, 2) }),
      ...Array.from({ length: between(random, 0, 3) }, () =>
        drift(random, cluster, frozen + between(random, 0, lasts)),
      ),
      { at: frozen + lasts + 1_000, do: 'wait' },
    ];
  },
};

/** A leader's requests are slow; another replaces it while they are in flight. */
export const slowWriter: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const by = between(random, 2_500, 30_000);
    const lasts = between(random, 300, 8_000);
    const end: readonly Operation[] = [
      { at: from + between(random, 100, 4_000), do: 'crash', place: one, down: between(random, 200, 9_000) },
      { at: from + between(random, 100, 4_000), do: 'stop', place: one, down: between(random, 200, 9_000) },
      { at: from + between(random, 100, 4_000), do: 'lease', cluster, how: oneOf(random, ['delete', 'steal']) },
    ];
    return [
      ...crown(others, 4_000),
      { at: from, do: 'slow', from: one, to: cluster, by, lasts },
      retime(random, from + 20),
      ...changes(random, cast, { from: from + 5, span: lasts, count: between(random, 0, 3) }),
      ...(random() < 0.8 ? [oneOf(random, end)] : []),
      ...Array.from({ length: between(random, 1, 4) }, () =>
        retime(random, from + 1_000 + between(random, 0, by + lasts)),
      ),
      ...(random() < 0.5 ? [drift(random, cluster, from + between(random, 0, by))] : []),
      { at: from + lasts + by + 2_000, do: 'wait' },
    ];
  },
};

/** A pod that counts as lost lives on in parallel with its successor of the same name. */
export const doubles: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const frozen = between(random, 200, oneOf(random, [9_000, 20_000, 30_000]));
    const both = between(random, 8_000, 20_000);
    const wakes = from + frozen;
    return [
      ...crown(others, random() < 0.7 ? from + frozen + both : 3_000),
      { at: from, do: 'double', place: one, frozen, both },
      // Without changes in between, the first pod learns nothing of the second.
      ...(random() < 0.6 ? [] : changes(random, cast, { from, span: frozen + both, count: between(random, 1, 5) })),
      ...Array.from({ length: between(random, 3, 8) }, () => drift(random, cluster, wakes + between(random, 0, both))),
      { at: wakes + both, do: 'wait' },
    ];
  },
};

/** Users edit objects while they are being written, repeatedly. */
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

/** The desired state changes while there is no leader, or just as a leader begins. */
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

/**
 * An object that a leader is about to delete is desired again while the deletions are in flight, and another leader
 * begins meanwhile.
 */
export const slowDeletion: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const home = random() < 0.5 ? cluster : oneOf(random, cast.clusters);
    const port = between(random, 80, 90);
    const begins = from + 4_000;
    const again = begins + between(random, 5_500, 14_000);
    return [
      ...crown(others, 4_000),
      { at: from, do: 'put-service', cluster: home, name: 'b', port },
      // The agent records the deletions first. That takes long enough here for the link to become slower before it
      // deletes the objects.
      { at: begins, do: 'slow', from: one, to: cluster, by: between(random, 2_500, 4_500), lasts: 11_000 },
      {
        at: begins + (random() < 0.2 ? 1 : between(random, 600, 2_500)),
        do: 'slow',
        from: one,
        to: cluster,
        by: between(random, 14_000, 30_000),
        lasts: 8_000,
      },
      { at: begins + 5, do: 'delete-service', cluster: home, name: 'b' },
      ...(random() < 0.5
        ? [{ at: begins + between(random, 5_200, 9_000), do: 'crash', place: one, down: 9_000 } as const]
        : []),
      { at: again, do: 'put-service', cluster: home, name: 'b', port: random() < 0.5 ? port : port + 1 },
      { at: again + 28_000, do: 'wait' },
    ];
  },
};

/**
 * A leader's whole machine is suspended. When it resumes, its clock shows no elapsed time, and it receives messages of
 * another leader's term.
 */
export const sleeper: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const lasts = between(random, 18_000, 40_000);
    const wakes = from + lasts;
    return [
      ...crown(others, 4_000),
      ...changes(random, cast, { from: from - 500, span: 500, count: between(random, 0, 3) }),
      { at: from, do: 'freeze', place: one, how: 'suspended', lasts },
      ...Array.from({ length: between(random, 1, 4) }, () => retime(random, from + between(random, 0, lasts))),
      ...Array.from({ length: between(random, 1, 5) }, () =>
        drift(random, cluster, wakes + between(random, -200, 2_000)),
      ),
      retime(random, wakes + between(random, -100, 1_500)),
      { at: wakes + 3_000, do: 'wait' },
    ];
  },
};

/**
 * A leader stops while its writes are in flight one after the other on a slow link. It resumes when another leads that
 * does not know of this work.
 */
export const wave: Storm = {
  make: (random, cast, from) => {
    const cluster = oneOf(random, cast.clusters);
    const [one, others] = splitAgents(random, cast, cluster);
    const begins = from + between(random, 5_000, 8_000);
    const by = between(random, 200, 1_500);
    const lasts = between(random, 14_000, 40_000);
    const frozen = begins + between(random, by, 4 * by + 500);
    return [
      ...crown(others, 4_000),
      { at: from, do: 'put-services', cluster, count: between(random, 11, 17) },
      { at: begins, do: 'slow', from: one, to: cluster, by, lasts: frozen - begins + 2_000 },
      random() < 0.5
        ? { at: begins + 5, do: 'delete-services', cluster, count: between(random, 11, 17) }
        : { at: begins + 5, do: 'put-virtual-mesh', clusters: cast.clusters.filter(() => random() < 0.5) },
      { at: frozen, do: 'freeze', place: one, how: 'stopped', lasts },
      ...apart(others, servers(cast), begins, lasts + 9_000),
      { at: frozen + lasts + 3_000, do: 'wait' },
    ];
  },
};
