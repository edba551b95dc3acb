/** Probes of one name for Services of several clusters. */
import type { PolicySpec } from '../../fleet/policy-object.ts';
import { type Probes, virtualDestination, virtualMesh } from '../probe.ts';

const resolveContext = virtualMesh({});
const localized = (more: object): PolicySpec =>
  virtualDestination({
    localized: {
      destinationSelectors: [{ kubeServiceMatcher: { labels: { app: 'books' }, namespaces: ['shop'] } }],
      ...more,
    },
  });

export const VIRTUAL_DESTINATION_PROBES: Probes<'virtualDestination'> = {
  'virtualDestination.static': { asks: [resolveContext, virtualDestination({})], without: [resolveContext] },
  'virtualDestination.localized': { asks: [resolveContext, localized({})], without: [resolveContext] },
  'virtualDestination.localized.directives': {
    asks: [
      resolveContext,
      localized({ failoverDirectives: [{ from: { region: 'region-1' }, to: [{ region: 'region-2' }] }] }),
    ],
    without: [resolveContext, localized({})],
  },
  'virtualDestination.sameHostname': {
    asks: [resolveContext, virtualDestination({ hostname: 'books.shop.svc.cluster.local' })],
    without: [resolveContext, virtualDestination({})],
    refused: [resolveContext],
  },
};
