/** Converts paths of access rules to OSM's regular expressions (RE2, matched against the whole path). */
import type { AccessRows } from '@meshrelay/plugin';

export const ALLOWED_PATHS: AccessRows<'allowedPaths'> = { 'access.paths': 'native' };

/** `/exact`, `/prefix*` or `*suffix`; everything except that one `*` is literal. */
export function pathRegex(path: string): string {
  if (path.startsWith('*')) return `^.*${escaped(path.slice(1))}$`;
  if (path.endsWith('*')) return `^${escaped(path.slice(0, -1))}.*$`;
  return `^${escaped(path)}$`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** True if some path matches both. */
export function pathsOverlap(a: string, b: string): boolean {
  const [one, other] = [parts(a), parts(b)];
  return fit(one.start, other.start, 'startsWith') && fit(one.end, other.end, 'endsWith') && exactFits(one, other);
}

interface Parts {
  readonly start: string;
  readonly end: string;
  readonly exact: boolean;
}

function parts(path: string): Parts {
  if (path.startsWith('*')) return { start: '', end: path.slice(1), exact: false };
  if (path.endsWith('*')) return { start: path.slice(0, -1), end: '', exact: false };
  return { start: path, end: path, exact: true };
}

function fit(a: string, b: string, how: 'startsWith' | 'endsWith'): boolean {
  return a[how](b) || b[how](a);
}

/** An exact path has a fixed length: the parts of the other pattern must fit into it. */
function exactFits(a: Parts, b: Parts): boolean {
  const inside = (exact: Parts, other: Parts) =>
    !exact.exact || (exact.start.startsWith(other.start) && exact.end.endsWith(other.end));
  return inside(a, b) && inside(b, a);
}
