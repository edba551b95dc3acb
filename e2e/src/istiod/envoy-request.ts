/** How a proxy handles a request, by the routes that istiod sends. */
import { matchesWhole } from './matches-whole.ts';
import type { RouteConfiguration } from './reported.ts';

/** An HTTP request. */
export interface Request {
  /** Without the query. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** Envoy's format, limited to the routes that Meshrelay generates. */
interface StringMatcher {
  readonly exact?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly safeRegex?: { readonly regex: string };
  readonly ignoreCase?: boolean;
}

interface NamedMatcher {
  readonly name: string;
  readonly stringMatch?: StringMatcher;
  readonly presentMatch?: boolean;
  readonly invertMatch?: boolean;
  readonly treatMissingHeaderAsEmpty?: boolean;
}

interface RouteMatch {
  readonly prefix?: string;
  readonly path?: string;
  readonly safeRegex?: { readonly regex: string };
  readonly caseSensitive?: boolean;
  readonly headers?: readonly NamedMatcher[];
  readonly queryParameters?: readonly NamedMatcher[];
}

interface HeaderValue {
  readonly header: { readonly key: string; readonly value: string };
}

/** The action of a route. */
export interface EnvoyRoute {
  readonly match: RouteMatch;
  readonly route?: {
    readonly cluster?: string;
    readonly weightedClusters?: {
      readonly clusters: ReadonlyArray<{ readonly name: string; readonly weight?: number }>;
    };
    readonly timeout?: string;
    readonly retryPolicy?: { readonly numRetries?: number };
    readonly requestMirrorPolicies?: ReadonlyArray<{ readonly cluster: string }>;
  };
  readonly requestHeadersToAdd?: readonly HeaderValue[];
  readonly typedPerFilterConfig?: {
    readonly 'envoy.filters.http.fault'?: {
      readonly delay?: { readonly fixedDelay: string; readonly percentage?: FractionalPercent };
      readonly abort?: { readonly httpStatus: number; readonly percentage?: FractionalPercent };
    };
    readonly 'envoy.filters.http.cors'?: { readonly allowOriginStringMatch?: readonly StringMatcher[] };
  };
}

/** In protobuf's JSON, which omits 0 and HUNDRED. */
export interface FractionalPercent {
  readonly numerator?: number;
  readonly denominator?: 'HUNDRED' | 'TEN_THOUSAND' | 'MILLION';
}

interface FullConfiguration extends RouteConfiguration {
  readonly virtualHosts?: ReadonlyArray<{
    readonly name: string;
    readonly domains: readonly string[];
    readonly routes?: readonly EnvoyRoute[];
  }>;
}

/** The Envoy clusters to which a route distributes requests, with their percentages. */
export function sharesIn({ route = {} }: EnvoyRoute): ReadonlyArray<readonly [name: string, weight: number]> {
  const { cluster, weightedClusters } = route;
  if (cluster !== undefined) return [[cluster, 100]];
  return (weightedClusters?.clusters ?? []).map(({ name, weight = 0 }) => [name, weight] as const);
}

/**
 * The first route that matches the request. @throws Error if the proxy does not know the host and port, or matches in a
 * way that this code does not know
 */
export function routeOf(
  configurations: readonly RouteConfiguration[],
  host: string,
  port: number,
  request: Request,
): EnvoyRoute | undefined {
  const hosts = (configurations as readonly FullConfiguration[])
    .filter(({ name }) => name === String(port))
    .flatMap(({ virtualHosts = [] }) => virtualHosts)
    .filter(({ domains }) => domains.includes(host));
  const [found] = hosts;
  if (found === undefined || hosts.length > 1) throw new Error(`${hosts.length} virtual hosts for ${host}:${port}`);
  return found.routes?.find(({ match }) => takes(match, request));
}

function takes(
  { prefix, path, safeRegex, caseSensitive = true, headers = [], queryParameters = [], ...others }: RouteMatch,
  request: Request,
): boolean {
  if (Object.keys(others).length > 0)
    throw new Error(`this model of Envoy does not support the match ${JSON.stringify(others)}`);
  const cased = (text: string): string => (caseSensitive ? text : text.toLowerCase());
  const isPath =
    path !== undefined
      ? cased(request.path) === cased(path)
      : safeRegex !== undefined
        ? matchesWhole(safeRegex.regex, request.path)
        : cased(request.path).startsWith(cased(prefix ?? ''));
  return (
    isPath &&
    headers.every((matcher) => isNamed(matcher, headerOf(request, matcher.name))) &&
    queryParameters.every((matcher) => isNamed(matcher, request.query[matcher.name]))
  );
}

function headerOf({ headers, method, path }: Request, name: string): string | undefined {
  return name === ':method' ? method : name === ':path' ? path : headers[name];
}

function isNamed(matcher: NamedMatcher, value: string | undefined): boolean {
  const { stringMatch, presentMatch, invertMatch = false, treatMissingHeaderAsEmpty = false } = matcher;
  if (stringMatch === undefined) return (value !== undefined) === ((presentMatch ?? true) !== invertMatch);
  const text = value ?? (treatMissingHeaderAsEmpty ? '' : undefined);
  // Envoy treats a missing header as not matching, inverted or not.
  if (text === undefined) return false;
  return isText(stringMatch, text) !== invertMatch;
}

function isText({ exact, prefix, suffix, safeRegex, ignoreCase = false }: StringMatcher, value: string): boolean {
  const cased = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  if (exact !== undefined) return cased(value) === cased(exact);
  if (prefix !== undefined) return cased(value).startsWith(cased(prefix));
  if (suffix !== undefined) return cased(value).endsWith(cased(suffix));
  return matchesWhole(safeRegex?.regex ?? '', value);
}
