/** The relation of two request matchers. */
import { memoize, memoizeUntilCompaction, type RouteMatchView } from '@meshrelay/plugin';
import { ofNamedValues } from './named-value-relation.ts';
import { ofPaths } from './path-relation.ts';
import { ofLabels, ofOptional, type Relation, together } from './relation.ts';

/** The same matchers are compared on every destination of their policies. */
const relationsOf = memoizeUntilCompaction((earlier: RouteMatchView) =>
  memoize((later: RouteMatchView): Relation => relate(earlier, later)),
);

/** Compares all conditions, the earlier matcher first. */
export function relationOf(earlier: RouteMatchView, later: RouteMatchView): Relation {
  return relationsOf(earlier)(later);
}

function relate(earlier: RouteMatchView, later: RouteMatchView): Relation {
  return together([
    ofPaths(earlier.uri, later.uri),
    ofOptional(earlier.method, later.method),
    ofNamedValues(earlier.headers, later.headers, (name) => name.toLowerCase()),
    ofNamedValues(earlier.queryParameters, later.queryParameters, (name) => name),
    ofLabels(earlier.sourceLabels, later.sourceLabels),
    ofOptional(earlier.sourceNamespace, later.sourceNamespace),
  ]);
}
