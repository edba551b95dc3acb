/** The requests that a route matches. */
import { create, type MessageInitShape, matcher, route } from '@meshrelay/envoy-api';
import {
  type CapabilityRows,
  memoizeUntilCompaction,
  type NamedValueMatch,
  type RouteMatchView,
  type StringMatchView,
} from '@meshrelay/plugin';
import { endsWith, insensitive } from '../messages.ts';
import { labelTerm, SOURCE_LABELS, SOURCE_NAMESPACE } from '../source-headers.ts';

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

/** Computed once for all destinations with this matcher. Every part must match. */
export const routeMatch: (match: RouteMatchView) => route.RouteMatch = memoizeUntilCompaction((match) =>
  create(route.RouteMatchSchema, {
    ...pathMatch(match.uri),
    headers: [...methodOf(match), ...match.headers.map(headerMatcher), ...sourceOf(match)],
    queryParameters: match.queryParameters.map(queryMatcher),
  }),
);

/** Every request, which Envoy expresses as any path. */
export const ANY_PATH: Pick<MessageInitShape<typeof route.RouteMatchSchema>, 'pathSpecifier'> = {
  pathSpecifier: { case: 'prefix', value: '/' },
};

function pathMatch(uri: StringMatchView | undefined): MessageInitShape<typeof route.RouteMatchSchema> {
  if (uri === undefined) return ANY_PATH;
  const caseSensitive = uri.ignoreCase ? { caseSensitive: false } : {};
  if ('exact' in uri) return { pathSpecifier: { case: 'path', value: uri.exact }, ...caseSensitive };
  if ('prefix' in uri) return { pathSpecifier: { case: 'prefix', value: uri.prefix }, ...caseSensitive };
  const regex = 'regex' in uri ? uri.regex : endsWith(uri.suffix);
  return { pathSpecifier: { case: 'safeRegex', value: { regex: insensitive(regex, uri.ignoreCase) } } };
}

function methodOf({ method }: RouteMatchView): route.HeaderMatcher[] {
  return method === undefined ? [] : [header(':method', exact(method))];
}

function queryMatcher({ name, value, regex }: NamedValueMatch): route.QueryParameterMatcher {
  return create(route.QueryParameterMatcherSchema, {
    name,
    queryParameterMatchSpecifier:
      value === undefined
        ? { case: 'presentMatch', value: true }
        : { case: 'stringMatch', value: regex ? expression(value) : exact(value) },
  });
}

/** A request without the header does not match, so it matches the inverted matcher. */
function headerMatcher({ name, value, regex, invert }: NamedValueMatch): route.HeaderMatcher {
  if (value === undefined)
    return create(route.HeaderMatcherSchema, {
      name: name.toLowerCase(),
      headerMatchSpecifier: { case: 'presentMatch', value: true },
      invertMatch: invert,
    });
  const made = header(name.toLowerCase(), regex ? expression(value) : exact(value));
  return invert ? { ...made, invertMatch: true, treatMissingHeaderAsEmpty: true } : made;
}

/** Sidecars describe the caller of each request in headers, which they remove before the request leaves. */
function sourceOf({ sourceNamespace, sourceLabels = {} }: RouteMatchView): route.HeaderMatcher[] {
  const labels = Object.entries(sourceLabels).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...(sourceNamespace === undefined ? [] : [header(SOURCE_NAMESPACE, exact(sourceNamespace))]),
    ...labels.map(([label, value]) => header(SOURCE_LABELS, containing(labelTerm(label, value)))),
  ];
}

function header(name: string, value: matcher.StringMatcher): route.HeaderMatcher {
  return create(route.HeaderMatcherSchema, { name, headerMatchSpecifier: { case: 'stringMatch', value } });
}

function exact(value: string): matcher.StringMatcher {
  return create(matcher.StringMatcherSchema, { matchPattern: { case: 'exact', value } });
}

function containing(value: string): matcher.StringMatcher {
  return create(matcher.StringMatcherSchema, { matchPattern: { case: 'contains', value } });
}

function expression(regex: string): matcher.StringMatcher {
  return create(matcher.StringMatcherSchema, { matchPattern: { case: 'safeRegex', value: { regex } } });
}
