/** `http[].match`: the requests that a route matches. */
import {
  type CapabilityRows,
  memoizeUntilCompaction,
  type NamedValueMatch,
  type RouteMatchView,
  type StringMatchView,
} from '@meshrelay/plugin';
import { present } from '../../present.ts';

/** The match fields that Istio supports. */
export const MATCH_CAPABILITIES: CapabilityRows<'match' | 'source'> = {
  'match.uri.exact': 'native',
  'match.uri.prefix': 'native',
  'match.uri.regex': 'native',
  'match.uri.suffix': 'native',
  'match.uri.ignoreCase': 'native',
  'match.headers': 'native',
  'match.queryParameters': 'native',
  'match.method': 'native',
  'source.labels': 'native',
  'source.namespaces': 'native',
  'source.clusters': 'native',
};

type Matches = ReadonlyArray<Record<string, unknown>>;

/**
 * The single match of a route; none if it matches all requests. `port` is given if the Service has several. All
 * destinations of a policy with that port share the same list.
 */
export function matchesOf(match: RouteMatchView, port: number | undefined): Matches {
  const byPort = matchesOnPorts(match);
  const known = byPort.get(port);
  if (known !== undefined) return known;
  const matches = newMatches(requestsOf(match), port);
  byPort.set(port, matches);
  return matches;
}

const matchesOnPorts = memoizeUntilCompaction((_match: RouteMatchView) => new Map<number | undefined, Matches>());

function newMatches(requests: Record<string, unknown>, port: number | undefined): Matches {
  if (port !== undefined) return [{ ...requests, port }];
  return Object.keys(requests).some((field) => field !== 'name') ? [requests] : [];
}

/** A match without the port: the same object for all ports, and for all destinations of a policy. */
const requestsOf = memoizeUntilCompaction((match: RouteMatchView): Record<string, unknown> => {
  const headers = match.headers.filter(({ invert }) => !invert);
  const without = match.headers.filter(({ invert }) => invert);
  return present({
    name: match.name,
    ...uriMatch(match.uri),
    headers: namedValues(headers.map(lowerCase)),
    withoutHeaders: namedValues(without.map(lowerCase)),
    queryParams: namedValues(match.queryParameters, ANY_VALUE),
    method: match.method === undefined ? undefined : { exact: match.method },
    sourceLabels: match.sourceLabels,
    sourceNamespace: match.sourceNamespace,
  });
});

/**
 * Istio has a separate field to ignore case for exact and prefix, and no suffix match: a regular expression replaces
 * it.
 */
function uriMatch(uri: StringMatchView | undefined): Record<string, unknown> {
  if (uri === undefined) return {};
  if ('exact' in uri) return { uri: { exact: uri.exact }, ignoreUriCase: uri.ignoreCase || undefined };
  if ('prefix' in uri) return { uri: { prefix: uri.prefix }, ignoreUriCase: uri.ignoreCase || undefined };
  const regex = 'regex' in uri ? uri.regex : `.*${literal(uri.suffix)}`;
  return { uri: { regex: uri.ignoreCase ? `(?i)${regex}` : regex } };
}

/** A regular expression that matches exactly this text. */
export function literal(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** The first header or query parameter with several matches of the same sense, if any. */
export function namedTwice({ headers, queryParameters }: RouteMatchView): string | undefined {
  if (headers.length + queryParameters.length < 2) return undefined;
  const seen = new Set<string>();
  const ids = [
    ...headers.map(({ name, invert }) => [name.toLowerCase(), `header ${invert ? 'not ' : ''}${name.toLowerCase()}`]),
    ...queryParameters.map(({ name }) => [name, `query ${name}`]),
  ];
  for (const [name, id = ''] of ids) {
    if (seen.has(id)) return name;
    seen.add(id);
  }
  return undefined;
}

/** An empty match requires only that a header is present; for a query parameter this takes a regular expression. */
const ANY_VALUE = { regex: '.*' };

/** Istio expects header names in lower case. */
function lowerCase(match: NamedValueMatch): NamedValueMatch {
  return { ...match, name: match.name.toLowerCase() };
}

function namedValues(
  matches: readonly NamedValueMatch[],
  anyValue: Record<string, unknown> = {},
): Record<string, unknown> | undefined {
  if (matches.length === 0) return undefined;
  return Object.fromEntries(
    matches.map(({ name, value, regex }) => [
      name,
      value === undefined ? anyValue : regex ? { regex: value } : { exact: value },
    ]),
  );
}
