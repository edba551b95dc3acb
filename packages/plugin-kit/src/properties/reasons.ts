/** Compares the source policies of objects with the changes that deleting those policies causes. */
import { type ControlPlane, canonicalJson } from '@meshrelay/relay-core';

/** Kinds whose values have a source in views; other kinds only determine names and targets. */
export const SAYS_VALUES: ReadonlySet<string> = new Set(['TrafficPolicy', 'AccessPolicy']);

/** An output with its source policies. */
export interface Reasoned {
  readonly object: string;
  readonly sourcePolicies: readonly string[];
}

/** The outputs, without metadata, and the policies that they name. */
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

/**
 * An object that a policy contributes to without being named; objects that appear or disappear with the policy do not
 * count.
 */
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
