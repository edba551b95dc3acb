/** The source policies of generated configuration. */
import type { ConnectionView, PolicyRef, RouteView, Sourced } from '@meshrelay/plugin';

/** The source policies of routes, connection settings and subsets. */
export function sourcePoliciesOf(view: {
  readonly routes: readonly RouteView[];
  readonly connection: ConnectionView;
  readonly subsets: ReadonlyArray<Sourced<unknown>>;
}): readonly PolicyRef[] {
  return [
    ...view.routes.flatMap(({ from }) => from),
    ...Object.values(view.connection as Record<string, Sourced<unknown>>).flatMap(({ from }) => from),
    ...view.subsets.flatMap(({ from }) => from),
  ];
}
