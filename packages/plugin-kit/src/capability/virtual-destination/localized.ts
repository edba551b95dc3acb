import type { LocalizedFailover } from '@meshrelay/api';
import type { PolicySpec } from '../../fleet/policy-object.ts';
import { virtualDestination } from '../probe.ts';
import { MEMBERS, type VirtualDestinationFieldSamples } from './field.ts';

const nearest = (more: LocalizedFailover): PolicySpec =>
  virtualDestination({
    localized: {
      destinationSelectors: [{ kubeServiceMatcher: { labels: { app: 'books' }, namespaces: ['shop'] } }],
      ...more,
    },
  });

export const localized: VirtualDestinationFieldSamples<'localized'> = {
  probes: {
    'virtualDestination.localized': { asks: [MEMBERS, nearest({})], without: [MEMBERS] },
    'virtualDestination.localized.directives': {
      asks: [
        MEMBERS,
        nearest({ failoverDirectives: [{ from: { region: 'region-1' }, to: [{ region: 'region-2' }] }] }),
      ],
      without: [MEMBERS, nearest({})],
    },
  },
};
