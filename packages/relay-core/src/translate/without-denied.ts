/** Removes what a DENY rule rejects from an ALLOW rule, for meshes that do not support DENY. */
import type { AccessRuleView, AccessSources } from '@meshrelay/plugin';

/** What remains of an ALLOW rule. */
export interface Narrowed {
  /** Rules that admit what the ALLOW admitted, without anything that is denied. */
  readonly rules: readonly AccessRuleView[];
  /** Callers that are no longer admitted, or admitted to less, because they are denied. */
  readonly denied: readonly string[];
  /**
   * Callers that are not admitted at all although only part of their requests is denied: no rule can express the rest.
   */
  readonly closed: readonly string[];
}

/** How reports name callers without an identity, next to other callers. */
const ANYONE = 'anyone';

/** Never admits a denied request. If no rule expresses the rest exactly, it admits less. */
export function withoutDenied(allow: AccessRuleView, deny: AccessRuleView): Narrowed {
  const callers = splitCallers(allow.sources, deny.sources);
  if (callers.denied.length + callers.partly.length === 0) return { rules: [allow], denied: [], closed: [] };
  const rest = restOfRequests(allow, deny);
  if (rest === 'all') return { rules: [allow], denied: [], closed: [] };
  // Single callers cannot be removed from a wildcard, so the wildcard is removed.
  const closed = rest === 'unsaid' ? [...callers.denied, ...callers.partly] : callers.partly;
  const denied = rest === 'unsaid' ? [] : callers.denied;
  const untouched = { ...allow, sources: callers.untouched };
  const limited =
    typeof rest === 'object' && denied.length > 0
      ? [
          {
            ...allow,
            ...rest,
            sources:
              allow.sources.kind === 'anyone' ? allow.sources : ({ kind: 'principals', principals: denied } as const),
          },
        ]
      : [];
  const hasCallers = callers.untouched.principals.length > 0 || limited.length === 0;
  return { rules: [...(hasCallers ? [untouched] : []), ...limited], denied, closed };
}

interface Callers {
  readonly untouched: Extract<AccessSources, { kind: 'principals' }>;
  readonly denied: readonly string[];
  /** Wildcards that include denied callers and others. */
  readonly partly: readonly string[];
}

function splitCallers(allowed: AccessSources, denied: AccessSources): Callers {
  const noCaller = { kind: 'principals', principals: [] } as const;
  if (allowed.kind === 'anyone') {
    if (denied.kind === 'anyone') return { untouched: noCaller, denied: [ANYONE], partly: [] };
    return { untouched: noCaller, denied: [], partly: denied.principals.length === 0 ? [] : [ANYONE] };
  }
  const { principals } = allowed;
  if (denied.kind === 'anyone') return { untouched: noCaller, denied: principals, partly: [] };
  const covered = principals.filter((one) => denied.principals.some((pattern) => covers(pattern, one)));
  const partly = principals.filter(
    (one) => !covered.includes(one) && denied.principals.some((other) => covers(one, other)),
  );
  const untouched = principals.filter((one) => !covered.includes(one) && !partly.includes(one));
  return { untouched: { kind: 'principals', principals: untouched }, denied: covered, partly };
}

/** `*` as the last character matches any ending. */
function covers(pattern: string, one: string): boolean {
  return pattern.endsWith('*') ? one.startsWith(pattern.slice(0, -1)) : pattern === one;
}

/** `all`: nothing is denied. `none`: everything is denied. `unsaid`: no rule can express what remains. */
type Rest = 'all' | 'none' | 'unsaid' | Partial<Pick<AccessRuleView, 'paths' | 'methods' | 'ports'>>;

function restOfRequests(allow: AccessRuleView, deny: AccessRuleView): Rest {
  const parts = [
    { rest: restOf(allow.paths, deny.paths, pathRelation), as: (paths: readonly string[]) => ({ paths }) },
    { rest: restOf(allow.methods, deny.methods, sameOrNot), as: (methods: readonly string[]) => ({ methods }) },
  ];
  const ports = restOf(allow.ports, deny.ports, sameOrNot);
  const rests = [...parts.map(({ rest }) => rest), ports];
  if (rests.includes('all')) return 'all';
  // Exclusions of a DENY do not name the requests that it leaves alone.
  const excludes = deny.notPaths.length + deny.notMethods.length + deny.notPorts.length > 0;
  if (excludes || rests.includes('unsaid')) return 'unsaid';
  const left = [...parts.flatMap(({ rest, as }) => (typeof rest === 'string' ? [] : [as(rest)]))];
  const limited = [...left, ...(typeof ports === 'string' ? [] : [{ ports }])];
  // If two parts are limited at once, the remainder does not fit in one rule.
  return limited.length === 0 ? 'none' : limited.length === 1 ? (limited[0] ?? 'none') : 'unsaid';
}

type Relation = 'within' | 'apart' | 'crossing';

/** What remains of one part of the requests; an empty list matches any. */
function restOf<T>(
  allowed: readonly T[],
  denied: readonly T[],
  relate: (allowed: T, denied: T) => Relation,
): 'all' | 'none' | 'unsaid' | readonly T[] {
  if (denied.length === 0) return 'none';
  if (allowed.length === 0) return 'unsaid';
  const remaining = allowed.filter((one) => !denied.some((other) => relate(one, other) === 'within'));
  if (remaining.some((one) => denied.some((other) => relate(one, other) === 'crossing'))) return 'unsaid';
  return remaining.length === allowed.length ? 'all' : remaining.length === 0 ? 'none' : remaining;
}

function sameOrNot<T>(allowed: T, denied: T): Relation {
  return allowed === denied ? 'within' : 'apart';
}

/** `/exact`, `/prefix*`, `*suffix`. Two wildcards of different kinds always share some path. */
function pathRelation(allowed: string, denied: string): Relation {
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
