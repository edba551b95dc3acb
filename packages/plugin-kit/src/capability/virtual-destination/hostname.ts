import { virtualDestination } from '../probe.ts';
import { MEMBERS, type VirtualDestinationFieldSamples } from './field.ts';

export const hostname: VirtualDestinationFieldSamples<'hostname'> = {
  probes: {
    'virtualDestination.sameHostname': {
      asks: [MEMBERS, virtualDestination({ hostname: 'books.shop.svc.cluster.local' })],
      without: [MEMBERS, virtualDestination({})],
      refused: [MEMBERS],
    },
  },
};
