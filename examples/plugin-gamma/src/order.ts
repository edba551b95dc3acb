/**
 * Order of routes. Meshrelay's first matching route takes a request; the Gateway API takes the most specific one: by
 * path, then method, then the numbers of headers and query parameters. Only routes without a common request, or with
 * the same order in both, mean the same.
 */
import type { HttpRouteMatch, TypedValue } from './matches.ts';

/** Whether requests that match both may be taken by the later one. */
export function mayOvertake(earlier: HttpRouteMatch, later: HttpRouteMatch): boolean {
  return !areDisjoint(earlier, later) && !isMoreSpecific(earlier, later);
}

/** Whether no request can match both; false if that is not certain. */
function areDisjoint(one: HttpRouteMatch, other: HttpRouteMatch): boolean {
  return (
    differ(one.method, other.method) ||
    differ(exactly(one.path), exactly(other.path)) ||
    namesDiffer(one.headers, other.headers) ||
    namesDiffer(one.queryParams, other.queryParams)
  );
}

function namesDiffer(one: HttpRouteMatch['headers'] = [], other: HttpRouteMatch['headers'] = []): boolean {
  return one.some((match) => other.some((same) => same.name === match.name && differ(exactly(match), exactly(same))));
}

function exactly(match: TypedValue | undefined): string | undefined {
  return match?.type === 'Exact' ? match.value : undefined;
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** Whether the Gateway API certainly prefers the first one. Its order of regular expressions is up to each mesh. */
function isMoreSpecific(one: HttpRouteMatch, other: HttpRouteMatch): boolean {
  if (other.path === undefined && one.path !== undefined) return true;
  if (exactly(one.path) !== exactly(other.path)) return false;
  if (one.path?.type !== other.path?.type || one.path?.value !== other.path?.value) return false;
  const [a, b] = [weightsOf(one), weightsOf(other)];
  const position = a.findIndex((weight, index) => weight !== b[index]);
  return position !== -1 && (a[position] ?? 0) > (b[position] ?? 0);
}

function weightsOf({ method, headers = [], queryParams = [] }: HttpRouteMatch): number[] {
  return [method === undefined ? 0 : 1, headers.length, queryParams.length];
}
