/** The policies that objects name as what they are there for, held against what goes with those policies. */
import { type ControlPlane, canonicalJson } from '@meshrelay/relay-core';

/** Kinds whose values stand in views with where they come from; of others only names and goals follow. */
export const SAYS_VALUES: ReadonlySet<string> = new Set(['TrafficPolicy', 'AccessPolicy']);

/** What is written, and for whom. */
export interface Reasoned {
  readonly object: string;
  readonly sourcePolicies: readonly string[];
}

/** What is written, without marks, and the policies that it names. */
export function reasonsIn({ desired }: ControlPlane): ReadonlyMap<string, Reasoned> {
  return new Map(
    [...desired.entries()].map(([at, { object, sourcePolicies }]) => {
      const { metadata: _metadata, ...body } = object;
      return [
        at,
        {
          object: canonicalJson(body),
          sourcePolicies: sourcePolicies.map((one) => `${one.kind} ${one.namespace}/${one.name}`),
        },
      ];
    }),
  );
}

/** An object that a policy has a part in and does not name; one that comes or goes with it is another matter. */
export function changedWithout(
  before: ReadonlyMap<string, Reasoned>,
  plane: ControlPlane,
  policy: string,
): string | undefined {
  const after = reasonsIn(plane);
  for (const [at, { object, sourcePolicies }] of before) {
    const other = after.get(at);
    if (other !== undefined && other.object !== object && !sourcePolicies.includes(policy)) return at;
  }
  return undefined;
}
