/** How two matchers of requests lie to each other. */
import { remembered, rememberedUntilRest } from '../../plugin/remembered.ts';
import type { RouteMatchView } from '../../plugin/views/mod.ts';
import { ofNamedValues } from './named-value-relation.ts';
import { ofPaths } from './path-relation.ts';
import { ofLabels, ofOptional, type Relation, together } from './relation.ts';

/** Two matchers, the earlier first: the relation of all they ask for, and of their paths alone, which decide the order first. */
export interface MatchRelation {
  readonly whole: Relation;
  readonly paths: Relation;
}

/** The same matchers meet on every destination of their policies. */
const relationsOf = rememberedUntilRest((earlier: RouteMatchView) =>
  remembered((later: RouteMatchView): MatchRelation => relate(earlier, later)),
);

export function relationOf(earlier: RouteMatchView, later: RouteMatchView): MatchRelation {
  return relationsOf(earlier)(later);
}

function relate(earlier: RouteMatchView, later: RouteMatchView): MatchRelation {
  const paths = ofPaths(earlier.uri, later.uri);
  const whole = together([
    paths,
    ofOptional(earlier.method, later.method),
    ofNamedValues(earlier.headers, later.headers, (name) => name.toLowerCase()),
    ofNamedValues(earlier.queryParameters, later.queryParameters, (name) => name),
    ofLabels(earlier.sourceLabels, later.sourceLabels),
    ofOptional(earlier.sourceNamespace, later.sourceNamespace),
  ]);
  return { whole, paths };
}
