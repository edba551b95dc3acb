/** spec.hostname */
import type { VirtualDestinationField } from './field.ts';

export const hostname: VirtualDestinationField<'virtualDestination.sameHostname'> = {
  capabilities: { 'virtualDestination.sameHostname': 'spec.hostname' },
  requires: ({ sameHostname }) => (sameHostname === undefined ? [] : ['virtualDestination.sameHostname']),
};
