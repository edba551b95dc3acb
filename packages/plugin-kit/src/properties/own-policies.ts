/** What is written for a view is for policies of that view, and nobody else is told of it. */
import type { PolicyRef } from '@meshrelay/api';
import { canonicalJson, sourcePoliciesOf } from '@meshrelay/relay-core';
import { loaded } from '../tested-plugin.ts';
import { built } from './outcome.ts';
import type { Property } from './property.ts';
import { type Handed, placeOf, watched } from './watched.ts';

/** `because` and reports name policies that some value of the view came from. */
export const namesOwnPolicies: Property = (tested, fleets) => {
  for (const { name, fleet } of fleets) {
    let first: string | undefined;
    const see = (handed: Handed) => {
      if (first !== undefined || handed.policies.length === 0) return;
      const known = new Set(sourcePoliciesOf(handed.view).map(canonicalJson));
      const stranger = handed.policies.find((policy) => !known.has(canonicalJson(policy)));
      if (stranger === undefined) return;
      first = `${name}: ${placeOf(handed)}: ${handed.what} is for ${textOf(stranger)}, which nothing in the view came from; hand on "from" of what you read`;
    };
    built(
      fleet,
      loaded(tested).map((one) => watched(one, see)),
    );
    if (first !== undefined) throw new Error(first);
  }
};

function textOf({ kind, namespace, name }: PolicyRef): string {
  return `${kind} ${namespace}/${name}`;
}
