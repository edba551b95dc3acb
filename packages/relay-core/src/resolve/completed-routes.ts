/** Routes with what wider ones leave to them: a request has what every policy says of it, not only those whose matcher goes first. */
import { memoize, memoizeUntilCompaction } from '../plugin/memoize.ts';
import type { RouteMatchView } from '../plugin/views/mod.ts';
import { compareSpecificity, matchView } from './match-view.ts';
import { relationOf } from './overlap/match-relation.ts';
import type { Fields, PlannedRoute } from './traffic-plan.ts';
import { WidePaths } from './wide-paths.ts';

/** A route for callers of one cluster, with what wider ones leave to it. */
export interface CompletedRoute extends PlannedRoute {
  /** What policies say of its very matcher and source. */
  readonly said: Fields;
}

const NOTHING: Fields = Object.freeze({});

/**
 * The same routes, the most specific first. Each takes the fields that are not said of it from the first of the later ones that says them and takes all of its requests
 * too, as far as can be told.
 */
export function completedRoutes(routes: readonly PlannedRoute[]): readonly CompletedRoute[] {
  const ordered = routes.toSorted((a, b) => compareSpecificity(matchOf(a), matchOf(b)));
  const matches = ordered.map(matchOf);
  const wide = new WidePaths(matches);
  return ordered.map((route, at) => {
    const match = matches[at] as RouteMatchView;
    const left = wide
      .candidates(match)
      .filter((later) => later > at && covers(matches[later] as RouteMatchView, match))
      .reduceRight((wider, later) => over(wider)((ordered[later] as PlannedRoute).fields), NOTHING);
    return completedFrom(left)(route);
  });
}

function matchOf({ matcher, source }: PlannedRoute): RouteMatchView {
  return matchView(matcher, source);
}

/** Whether the wide one takes every request of the narrow one. */
function covers(wide: RouteMatchView, narrow: RouteMatchView): boolean {
  const relation = relationOf(wide, narrow);
  return relation === 'covers' || relation === 'equal';
}

/** The fields of both, the very same for the same two. */
const over = memoizeUntilCompaction((wide: Fields) =>
  memoize((narrow: Fields): Fields => (wide === NOTHING ? narrow : { ...wide, ...narrow })),
);

/** The same route is completed the same way on all destinations where the same is said of wider ones. */
const completedFrom = memoizeUntilCompaction((wide: Fields) =>
  memoize(({ id, matcher, source, fields }: PlannedRoute): CompletedRoute => {
    return { id, matcher, source, fields: { ...wide, ...fields }, said: fields };
  }),
);
