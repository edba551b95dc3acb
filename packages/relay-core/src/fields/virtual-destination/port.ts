/** spec.port */
import type { VirtualDestinationField } from './field.ts';

/** Every mesh with virtual destinations supports it. */
export const port: VirtualDestinationField<'port'> = {
  capabilities: {},
  view: ({ port: { number, protocol } }) => ({ port: { number, protocol } }),
};
