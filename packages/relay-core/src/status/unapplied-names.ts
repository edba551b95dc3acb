/** Meshes that are not given a destination's federated name, since the object that makes it known there is withheld. */
import type { Report } from '@meshrelay/api';
import type { Group } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import type { RejectedProposal, ViewOrigin } from '../output/desired.ts';
import { ENDPOINTS_STAGE } from '../translate/view-stages.ts';

/**
 * The names that are withheld with an object, under their keys in `federated`, and why. A name is where its endpoints are: routes and settings without
 * it lead nowhere, and it without them still does.
 * @param parts what views gave to the object, where several did
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
