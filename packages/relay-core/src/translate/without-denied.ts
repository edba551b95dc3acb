/** Removes what a DENY rule rejects from an ALLOW rule, for meshes that do not support DENY. */
import type { AccessRuleView, AccessSources } from '@meshrelay/plugin';
import { remainingRequests } from '../fields/access/mod.ts';

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
  const rest = remainingRequests(allow, deny);
  if (rest === 'all') return { rules: [allow], denied: [], closed: [] };
  // Single callers cannot be removed from a wildcard, so the wildcard is removed.
  const closed = rest === 'inexpressible' ? [...callers.denied, ...callers.partly] : callers.partly;
  const denied = rest === 'inexpressible' ? [] : callers.denied;
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
