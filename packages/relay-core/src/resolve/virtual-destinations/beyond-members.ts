/** What a virtual destination names and may not have behind it. */
import type { Report, VirtualDestinationSpec } from '@meshrelay/api';
import { type Asking, beyondSelectors, type Look } from '../authority/beyond.ts';

export function beyondMembers(
  asking: Asking,
  { static: fixed, localized }: VirtualDestinationSpec,
  look: Look,
): readonly Report[] {
  if (fixed === undefined)
    return beyondSelectors(asking, localized?.destinationSelectors, look, 'spec.localized.destinationSelectors');
  const selectors = fixed.destinations.map(({ kubeService }) => ({ kubeServiceRefs: { services: [kubeService] } }));
  return beyondSelectors(asking, selectors, look, 'spec.static.destinations').map(({ field = '', ...report }) => ({
    ...report,
    field: field.replace('.kubeServiceRefs.services[0]', '.kubeService'),
  }));
}
