/** Storms about data transfer: watches with gaps, stale lists, failing requests, streams that break at any message. */
import { MANAGEMENT } from '../../fleet/fleet.ts';
import { between, oneOf } from '../../runtime/random.ts';
import type { Operation } from '../operation.ts';
import { changes, drift, replicas, servers } from './cast.ts';
import type { Storm } from './storm.ts';

/** Watches miss events and must list again, and the lists may be older than the state already observed. */
export const gaps: Storm = {
  make: (random, cast, from) => {
    const host = oneOf(random, [MANAGEMENT, ...cast.clusters, ...cast.clusters]);
    const cluster = host === MANAGEMENT ? oneOf(random, cast.clusters) : host;
    const lasts = between(random, 200, 6_000);
    const stale = between(random, 500, 4_000);
    return [
      ...changes(random, cast, { from, span: 2_000, count: between(random, 1, 4), cluster }),
      { at: from + 2_200, do: 'silent-watches', host, lasts },
      ...changes(random, cast, { from: from + 2_210, span: lasts, count: between(random, 2, 6), cluster }),
      ...(random() < 0.5 ? [drift(random, cluster, from + 2_300)] : []),
      ...(random() < 0.5
        ? [{ at: from + between(random, 0, 2_200 + lasts), do: 'stale-lists', host, lasts: lasts + stale } as const]
        : []),
      { at: from + 2_210 + between(random, 0, lasts + 400), do: 'compact', host, reset: random() < 0.8 },
      ...changes(random, cast, { from: from + 2_210 + lasts, span: 1_000, count: between(random, 0, 3), cluster }),
    ];
  },
};

/** Requests fail just when there is work to do. */
export const rejections: Storm = {
  make: (random, cast, from) => {
    const host = oneOf(random, [MANAGEMENT, ...cast.clusters, ...cast.clusters]);
    const cluster = host === MANAGEMENT ? oneOf(random, cast.clusters) : host;
    const lasts = between(random, 500, 9_000);
    const fault: readonly Operation[] = [
      { at: from, do: 'api-errors', host, share: 0.2 + 0.8 * random(), lasts },
      { at: from, do: 'api-down', host, lasts },
    ];
    return [
      random() < 0.8 ? (fault[0] as Operation) : (fault[1] as Operation),
      ...changes(random, cast, { from, span: lasts, count: between(random, 3, 9) }),
      ...Array.from({ length: between(random, 0, 3) }, () => drift(random, cluster, from + between(random, 0, lasts))),
      ...(random() < 0.3
        ? [{ at: from + lasts, do: 'crash', place: oneOf(random, replicas(cast, cluster)), down: 700 } as const]
        : []),
    ];
  },
};

/** Connections break within a transfer: messages that were received but not acknowledged are sent again. */
export const cutStreams: Storm = {
  make: (random, cast, from) => {
    const all = servers(cast);
    const span = between(random, 500, 12_000);
    const agents = cast.clusters.flatMap((cluster) => replicas(cast, cluster));
    return [
      ...Array.from({ length: between(random, 3, 10) }, (): Operation => {
        const ends = [oneOf(random, agents), oneOf(random, all)];
        const [one = '', other = ''] = random() < 0.5 ? ends : ends.reverse();
        return {
          at: from + between(random, 0, span),
          do: 'cut',
          from: one,
          to: other,
          after: between(random, 1, oneOf(random, [3, 10, 40])),
        };
      }),
      ...changes(random, cast, { from, span: span + 1_000, count: between(random, 4, 12) }),
    ];
  },
};
