/** spec.localized */
import { defaultLocalizedOutlierDetection } from '@meshrelay/api';
import { outlierDetectionView } from '../traffic/outlier-detection.ts';
import type { VirtualDestinationField } from './field.ts';

export const localized: VirtualDestinationField<'localized'> = {
  capabilities: {
    'virtualDestination.localized': 'spec.localized',
    'virtualDestination.localized.directives': 'spec.localized.failoverDirectives',
  },
  /** Callers detect failures of backends in a fixed order by the same defaults. */
  view: ({ localized }) => ({
    ...(localized === undefined
      ? {}
      : { failover: { kind: 'localized', directives: localized.failoverDirectives ?? [] } }),
    outlierDetection: outlierDetectionView(localized?.outlierDetection ?? {}, defaultLocalizedOutlierDetection),
  }),
  backends: ({ localized }) =>
    localized && {
      field: 'spec.localized.destinationSelectors',
      selectors: localized.destinationSelectors ?? [],
      priorityOf: () => 0,
    },
  requires: ({ failover }) => (failover.kind === 'localized' ? ['virtualDestination.localized'] : []),
  reduce: ({ failover }, supports) =>
    failover.kind === 'static' ||
    failover.directives.length === 0 ||
    supports('virtualDestination.localized.directives')
      ? undefined
      : { failover: { kind: 'localized', directives: [] } },
};
