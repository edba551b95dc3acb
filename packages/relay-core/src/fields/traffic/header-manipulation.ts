/** spec.policy.headerManipulation */

import type { HeaderManipulation } from '@meshrelay/api';
import { type HeaderManipulationView, memoizeUntilCompaction } from '@meshrelay/plugin';
import type { TrafficField } from './field.ts';

/** The same view for the same settings, of a route or of one destination of a shift. */
export const headerManipulationView: (headers: HeaderManipulation) => HeaderManipulationView = memoizeUntilCompaction(
  (headers) => ({
    requestAdd: headers.appendRequestHeaders ?? {},
    requestRemove: headers.removeRequestHeaders ?? [],
    responseAdd: headers.appendResponseHeaders ?? {},
    responseRemove: headers.removeResponseHeaders ?? [],
  }),
);

export const headerManipulation: TrafficField<'headerManipulation'> = {
  capabilities: { 'route.headers': 'spec.policy.headerManipulation' },
  emptyIsUnset: true,
  view: headerManipulationView,
  requires: () => ['route.headers'],
};
