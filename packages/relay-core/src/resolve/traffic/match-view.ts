/** Request matchers as views show them, and their order of specificity. */
import type { HttpMatcher, StringMatch } from '@meshrelay/api';
import {
  memoize,
  memoizeUntilCompaction,
  type NamedValueMatch,
  type RouteMatchView,
  type StringMatchView,
} from '@meshrelay/plugin';
import { stringMatchView } from '../../fields/values.ts';
import { canonicalJson } from '../../input/canonical.ts';
import type { SourceScope } from './planned-route.ts';

/** A matcher and a source scope in one. Clusters are left out: they decide which callers get the route. */
export function matchView(matcher: HttpMatcher | undefined, source: SourceScope): RouteMatchView {
  return viewsFrom(source)(matcher ?? NO_MATCHER);
}

const NO_MATCHER: HttpMatcher = {};
const viewsFrom = memoizeUntilCompaction((source: SourceScope) =>
  memoize((matcher: HttpMatcher) => newView(matcher, source)),
);

function newView(matcher: HttpMatcher, source: SourceScope): RouteMatchView {
  const uri = matcher.uri === undefined ? undefined : pathView(matcher.uri);
  return {
    ...(matcher.name === undefined ? {} : { name: matcher.name }),
    ...(uri === undefined ? {} : { uri }),
    headers: (matcher.headers ?? []).map(namedValue),
    queryParameters: (matcher.queryParameters ?? []).map(namedValue),
    ...(matcher.method === undefined ? {} : { method: matcher.method }),
    ...(source.labels === undefined ? {} : { sourceLabels: source.labels }),
    ...(source.namespace === undefined ? {} : { sourceNamespace: source.namespace }),
  };
}

/** Undefined if every path matches, since every path begins with a slash. */
function pathView(uri: StringMatch): StringMatchView | undefined {
  const view = stringMatchView(uri);
  if (view === undefined) return undefined;
  if ('prefix' in view) return view.prefix === '' || view.prefix === '/' ? undefined : view;
  return 'suffix' in view && view.suffix === '' ? undefined : view;
}

function namedValue({
  name,
  value,
  regex = false,
  invertMatch = false,
}: {
  readonly name: string;
  readonly value?: string;
  readonly regex?: boolean;
  readonly invertMatch?: boolean;
}): NamedValueMatch {
  return { name, ...(value === undefined || value === '' ? {} : { value }), regex, invert: invertMatch };
}

/** True if a match takes every request. */
export function matchesAll(match: RouteMatchView): boolean {
  return (
    match.uri === undefined &&
    match.headers.length === 0 &&
    match.queryParameters.length === 0 &&
    match.method === undefined &&
    match.sourceLabels === undefined &&
    match.sourceNamespace === undefined
  );
}

/**
 * Negative if `a` is more specific and has precedence. The first differing criterion decides:
 * - kind of URI match (exact, regex, prefix, suffix, none), then a longer URI;
 * - more and sharper headers and query parameters;
 * - more source labels, a source namespace, a method, more inverted headers.
 */
export function compareSpecificity(a: RouteMatchView, b: RouteMatchView): number {
  if (a === b) return 0;
  return (
    uriRank(a.uri) - uriRank(b.uri) ||
    uriText(b.uri).length - uriText(a.uri).length ||
    compareText(uriText(a.uri), uriText(b.uri)) ||
    required(b).length - required(a).length ||
    sharpness(required(b)) - sharpness(required(a)) ||
    b.queryParameters.length - a.queryParameters.length ||
    sharpness(b.queryParameters) - sharpness(a.queryParameters) ||
    Object.keys(b.sourceLabels ?? {}).length - Object.keys(a.sourceLabels ?? {}).length ||
    Number(b.sourceNamespace !== undefined) - Number(a.sourceNamespace !== undefined) ||
    Number(b.method !== undefined) - Number(a.method !== undefined) ||
    b.headers.length - a.headers.length ||
    compareText(canonicalJson(a), canonicalJson(b))
  );
}

function required({ headers }: RouteMatchView): readonly NamedValueMatch[] {
  return headers.filter(({ invert }) => !invert);
}

/** With equal numbers of matches, values have precedence over expressions, and expressions over mere presence. */
function sharpness(matches: readonly NamedValueMatch[]): number {
  return matches.reduce((sum, { value, regex }) => sum + (value === undefined ? 0 : regex ? 1 : 2), 0);
}

function uriRank(uri: StringMatchView | undefined): number {
  if (uri === undefined) return 4;
  if ('exact' in uri) return 0;
  if ('regex' in uri) return 1;
  return 'prefix' in uri ? 2 : 3;
}

function uriText(uri: StringMatchView | undefined): string {
  if (uri === undefined) return '';
  if ('exact' in uri) return uri.exact;
  if ('regex' in uri) return uri.regex;
  return 'prefix' in uri ? uri.prefix : uri.suffix;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
