/** How the paths of two access rules relate. */
import type { Relation } from './remaining.ts';

/** `/exact`, `/prefix*`, `*suffix`. Two wildcards of different kinds always share some path. */
export function pathRelation(allowed: string, denied: string): Relation {
  if (allowed === denied || denied === '*') return 'within';
  const [a, d] = [pathParts(allowed), pathParts(denied)];
  const within = d.kind === 'exact' ? false : fits(d, a.kind === 'exact' ? a.text : undefined) || inside(a, d);
  if (within) return 'within';
  if (a.kind === 'exact') return 'apart';
  if (d.kind === 'exact') return fits(a, d.text) ? 'crossing' : 'apart';
  if (a.kind !== d.kind) return 'crossing';
  return inside(d, a) ? 'crossing' : 'apart';
}

interface PathParts {
  readonly kind: 'exact' | 'prefix' | 'suffix';
  readonly text: string;
}

function pathParts(path: string): PathParts {
  if (path.startsWith('*')) return { kind: 'suffix', text: path.slice(1) };
  if (path.endsWith('*')) return { kind: 'prefix', text: path.slice(0, -1) };
  return { kind: 'exact', text: path };
}

function fits({ kind, text }: PathParts, path: string | undefined): boolean {
  if (path === undefined) return false;
  return kind === 'prefix' ? path.startsWith(text) : kind === 'suffix' ? path.endsWith(text) : path === text;
}

/** Whether all paths of one wildcard match another of the same kind. */
function inside(narrow: PathParts, wide: PathParts): boolean {
  return narrow.kind === wide.kind && narrow.kind !== 'exact' && fits(wide, narrow.text);
}
