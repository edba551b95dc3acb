/** Probes of one name for Services of several clusters. */
import type { PolicySpec } from '../../fleet/policy-object.ts';
import { type Probes, virtualDestination, virtualMesh } from '../probe.ts';

const joined = virtualMesh({});
const localized = (more: object): PolicySpec =>
  virtualDestination({
    localized: {
      destinationSelectors: [{ kubeServiceMatcher: { labels: { app: 'books' }, namespaces: ['shop'] } }],
      ...more,
    },
  });

export const VIRTUAL_DESTINATION_PROBES: Probes<'virtualDestination'> = {
  'virtualDestination.static': { asks: [joined, virtualDestination({})], without: [joined] },
  'virtualDestination.localized': { asks: [joined, localized({})], without: [joined] },
  'virtualDestination.localized.directives': {
    asks: [joined, localized({ failoverDirectives: [{ from: { region: 'region-1' }, to: [{ region: 'region-2' }] }] })],
    without: [joined, localized({})],
  },
  'virtualDestination.sameHostname': {
    asks: [joined, virtualDestination({ hostname: 'books.shop.svc.cluster.local' })],
    without: [joined, virtualDestination({})],
    refused: [joined],
  },
};
