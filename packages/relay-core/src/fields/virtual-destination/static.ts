/** spec.static */
import type { VirtualDestinationField } from './field.ts';

/** `static` is a reserved word. */
export const staticFailover: VirtualDestinationField<'static'> = {
  capabilities: { 'virtualDestination.static': 'spec.static' },
  view: ({ static: fixed }) => (fixed === undefined ? {} : { failover: { kind: 'static' } }),
  requires: ({ failover }) => (failover.kind === 'static' ? ['virtualDestination.static'] : []),
};
