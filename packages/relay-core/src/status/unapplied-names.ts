/** Meshes that do not get a destination's federated name, since the object that federates it there is not applied. */
import type { Report } from '@meshrelay/api';
import type { Group, Key } from '@meshrelay/plugin';
import type { RejectedProposal } from '../output/mod.ts';
import { ENDPOINTS_STAGE, type ViewOrigin } from '../translate/mod.ts';

/**
 * The names that are not applied with an object, under their keys in `federated`, with the reason. The object with the
 * endpoints decides about a name: routes and settings lead nowhere without it, while it works without them.
 * @param parts the origins of the contributions, if several views contributed to the object
 */
export function unappliedNames(
  rejected: readonly RejectedProposal[],
  parts: Group<ViewOrigin> = [],
): Array<readonly [Key, Report]> {
  return rejected
    .filter(({ state }) => state === 'CONFLICT')
    .flatMap(({ one: { value }, report }) =>
      [value, ...parts]
        .filter(({ stage }) => stage === ENDPOINTS_STAGE.name)
        .map(({ view }) => [view, report] as const),
    );
}
