/** Outputs and reports for a view belong to policies of that view only. */
import type { PolicyRef } from '@meshrelay/api';
import { canonicalJson, sourcePoliciesOf } from '@meshrelay/relay-core';
import { loaded } from '../tested-plugin.ts';
import { built } from './outcome.ts';
import type { Property } from './property.ts';
import { type Handed, placeOf, watched } from './watched.ts';

/** Source policies and reports name policies from which some value of the view comes. */
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
