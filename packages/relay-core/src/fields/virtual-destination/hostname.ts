/** spec.hostname */
import type { VirtualDestinationField } from './field.ts';

export const hostname: VirtualDestinationField<'hostname'> = {
  capabilities: { 'virtualDestination.sameHostname': 'spec.hostname' },
  requires: ({ sameHostname }) => (sameHostname === undefined ? [] : ['virtualDestination.sameHostname']),
};
