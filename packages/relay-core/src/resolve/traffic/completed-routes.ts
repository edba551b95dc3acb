/**
 * Routes completed with fields of wider ones: a request gets the fields of every policy that matches it, not only of
 * the first matching route.
 */
import { memoize, memoizeUntilCompaction, type RouteMatchView } from '@meshrelay/plugin';
import { compareSpecificity, matchView } from './match-view.ts';
import type { Fields, PlannedRoute } from './planned-route.ts';
import { relationOf } from './relation/match-relation.ts';
import { WidePaths } from './wide-paths.ts';

/** A route for callers of one cluster, completed with fields of wider routes. */
export interface CompletedRoute extends PlannedRoute {
  /** Fields that policies set for exactly its matcher and source. */
  readonly explicit: Fields;
}

const NOTHING: Fields = Object.freeze({});

/**
 * The same routes, the most specific first. Each inherits missing fields from later routes that cover all of its
 * requests, as far as that is decidable. The first such route that sets a field provides it.
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

/** Whether the wide route matches every request of the narrow one. */
function covers(wide: RouteMatchView, narrow: RouteMatchView): boolean {
  const relation = relationOf(wide, narrow);
  return relation === 'covers' || relation === 'equal';
}

/** The merged fields; the same object for the same two inputs. */
const over = memoizeUntilCompaction((wide: Fields) =>
  memoize((narrow: Fields): Fields => (wide === NOTHING ? narrow : { ...wide, ...narrow })),
);

/** The same route is completed the same way on all destinations on which wider routes have the same fields. */
const completedFrom = memoizeUntilCompaction((wide: Fields) =>
  memoize(({ id, matcher, source, fields }: PlannedRoute): CompletedRoute => {
    return { id, matcher, source, fields: { ...wide, ...fields }, explicit: fields };
  }),
);
