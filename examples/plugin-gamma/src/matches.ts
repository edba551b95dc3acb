/** Matches of a route, in the words of HTTPRoute. */
import type { NamedValueMatch, RouteMatchView, StringMatchView } from '@meshrelay/plugin';

/** The methods of HTTPRoute. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]);

export interface TypedValue {
  readonly type: 'Exact' | 'RegularExpression';
  readonly value: string;
}

/** `spec.rules[].matches[]`. All parts must match. */
export interface HttpRouteMatch {
  readonly path?: TypedValue;
  readonly headers?: ReadonlyArray<TypedValue & { readonly name: string }>;
  readonly queryParams?: ReadonlyArray<TypedValue & { readonly name: string }>;
  readonly method?: string;
}

/** Why HTTPRoute has no match for these requests; undefined if it has one. */
export function obstacleTo({ headers, queryParameters, method }: RouteMatchView): string | undefined {
  const inverted = [...headers, ...queryParameters].find(({ invert }) => invert);
  if (inverted !== undefined)
    return `HTTPRoutes cannot match requests by a ${inverted.name} that they do not have; match the values that they do have`;
  if (method !== undefined && !METHODS.has(method))
    return `HTTPRoutes cannot match method ${method}; use one of ${[...METHODS].join(', ')}`;
  return undefined;
}

export function httpRouteMatch({ uri, headers, queryParameters, method }: RouteMatchView): HttpRouteMatch {
  return {
    ...(uri === undefined ? {} : { path: pathMatch(uri) }),
    ...(headers.length === 0 ? {} : { headers: headers.map(namedMatch) }),
    ...(queryParameters.length === 0 ? {} : { queryParams: queryParameters.map(namedMatch) }),
    ...(method === undefined ? {} : { method }),
  };
}

/**
 * Prefixes are regular expressions, too: a PathPrefix of HTTPRoute matches whole segments, so that /book would not
 * match /books. Linkerd compares expressions with the whole path.
 */
function pathMatch(uri: StringMatchView): TypedValue {
  if ('exact' in uri && !uri.ignoreCase) return { type: 'Exact', value: uri.exact };
  return { type: 'RegularExpression', value: `${uri.ignoreCase ? '(?i)' : ''}${expressionOf(uri)}` };
}

function expressionOf(uri: StringMatchView): string {
  if ('exact' in uri) return literal(uri.exact);
  if ('prefix' in uri) return `${literal(uri.prefix)}.*`;
  if ('suffix' in uri) return `.*${literal(uri.suffix)}`;
  return uri.regex;
}

function namedMatch({ name, value, regex }: NamedValueMatch): TypedValue & { readonly name: string } {
  if (value === undefined) return { type: 'RegularExpression', name, value: '.*' };
  return { type: regex ? 'RegularExpression' : 'Exact', name, value };
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
