/** Services that a virtual destination names and may not have as backends. */
import type { Report, VirtualDestinationSpec } from '@meshrelay/api';
import { type RecordedRead, type ReferencingPolicy, unauthorizedSelectors } from '../workspaces/mod.ts';

export function unauthorizedMembers(
  referencingPolicy: ReferencingPolicy,
  { static: fixed, localized }: VirtualDestinationSpec,
  read: RecordedRead,
): readonly Report[] {
  if (fixed === undefined)
    return unauthorizedSelectors(
      referencingPolicy,
      localized?.destinationSelectors,
      read,
      'spec.localized.destinationSelectors',
    );
  const selectors = fixed.destinations.map(({ kubeService }) => ({ kubeServiceRefs: { services: [kubeService] } }));
  return unauthorizedSelectors(referencingPolicy, selectors, read, 'spec.static.destinations').map(
    ({ field = '', ...report }) => ({
      ...report,
      field: field.replace('.kubeServiceRefs.services[0]', '.kubeService'),
    }),
  );
}
