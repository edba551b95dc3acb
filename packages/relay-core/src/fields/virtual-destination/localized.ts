/** spec.localized */
import type { VirtualDestinationField } from './field.ts';

type LocalizedCapability = 'virtualDestination.localized' | 'virtualDestination.localized.directives';

export const localized: VirtualDestinationField<LocalizedCapability> = {
  capabilities: {
    'virtualDestination.localized': 'spec.localized',
    'virtualDestination.localized.directives': 'spec.localized.failoverDirectives',
  },
  requires: ({ failover }) => (failover.kind === 'localized' ? ['virtualDestination.localized'] : []),
  reduce: ({ failover }, supports) =>
    failover.kind === 'static' ||
    failover.directives.length === 0 ||
    supports('virtualDestination.localized.directives')
      ? undefined
      : { failover: { kind: 'localized', directives: [] } },
};
