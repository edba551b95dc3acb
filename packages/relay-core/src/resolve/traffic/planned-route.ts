/** The settings of policies for the requests of one matcher. */
import type { HttpMatcher, TrafficFieldName, TrafficRules } from '@meshrelay/api';
import type { Sourced } from '@meshrelay/plugin';

/** Fields by name, each with the policies that set it. */
export type Fields = { readonly [F in TrafficFieldName]?: Sourced<NonNullable<TrafficRules[F]>> };

/** The callers; an absent part matches any. */
export interface SourceScope {
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  /** Decides which callers get the route at all. */
  readonly cluster?: string;
}

/**
 * What policies set for the requests of one matcher from one scope, before missing fields are inherited from wider
 * scopes. The same policies give the same route object wherever they apply. Everything derived from a route is
 * therefore computed once for all destinations that have it.
 */
export interface PlannedRoute {
  /** `scopeId` of the two below. */
  readonly id: string;
  readonly matcher: HttpMatcher | undefined;
  readonly source: SourceScope;
  readonly fields: Fields;
}
