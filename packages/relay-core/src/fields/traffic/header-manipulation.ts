/** spec.policy.headerManipulation */
import type { HeaderManipulation } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import type { RequestField } from './field.ts';

export interface HeaderManipulationView {
  readonly requestAdd: Readonly<Record<string, string>>;
  readonly requestRemove: readonly string[];
  readonly responseAdd: Readonly<Record<string, string>>;
  readonly responseRemove: readonly string[];
}

/** The same view for the same settings, of a route or of one destination of a shift. */
export const headerManipulationView: (headers: HeaderManipulation) => HeaderManipulationView = memoizeUntilCompaction(
  (headers) => ({
    requestAdd: headers.appendRequestHeaders ?? {},
    requestRemove: headers.removeRequestHeaders ?? [],
    responseAdd: headers.appendResponseHeaders ?? {},
    responseRemove: headers.removeResponseHeaders ?? [],
  }),
);

export const headerManipulation: RequestField<
  'headerManipulation',
  'headers',
  HeaderManipulationView,
  'route.headers'
> = {
  scope: 'requests',
  viewName: 'headers',
  capabilities: { 'route.headers': 'spec.policy.headerManipulation' },
  emptyIsUnset: true,
  view: headerManipulationView,
  requires: () => ['route.headers'],
};
