/** `http[].match`: which requests a route takes. */
import {
  type CapabilityRows,
  memoizeUntilCompaction,
  type NamedValueMatch,
  type RouteMatchView,
  type StringMatchView,
} from '@meshrelay/relay-core';
import { present } from '../../present.ts';

/** What Istio supports of it. */
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
 * The one match of a route; none where it takes every request. `port` is given where the Service has more than one. It is the very list for
 * all destinations of a policy with that port.
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

/** A match but for the port: the same object for all ports, and all destinations of a policy. */
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

/** Istio ignores case for exact and prefix by a field of their own, and knows no suffix: an expression does that. */
function uriMatch(uri: StringMatchView | undefined): Record<string, unknown> {
  if (uri === undefined) return {};
  if ('exact' in uri) return { uri: { exact: uri.exact }, ignoreUriCase: uri.ignoreCase || undefined };
  if ('prefix' in uri) return { uri: { prefix: uri.prefix }, ignoreUriCase: uri.ignoreCase || undefined };
  const regex = 'regex' in uri ? uri.regex : `.*${literal(uri.suffix)}`;
  return { uri: { regex: uri.ignoreCase ? `(?i)${regex}` : regex } };
}

/** An expression that matches just this text. */
export function literal(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** The first header or query parameter with more than one match of the same sense, if any. */
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

/** A header need only be present where its match is empty; a query parameter needs an expression for that. */
const ANY_VALUE = { regex: '.*' };

/** Istio takes names of headers in lower case. */
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
