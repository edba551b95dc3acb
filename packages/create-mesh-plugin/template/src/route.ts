/** Step 3, translation: a Route of my-mesh for each Service with a timeout. */
import type { DestinationView, NativeObject, PolicyRef, ResourceKind } from '@meshrelay/plugin';

/** A kind of the mesh. Use your own, with its CRD. */
export const ROUTE: ResourceKind = {
  group: 'my-mesh.example',
  version: 'v1',
  kind: 'Route',
  plural: 'routes',
  namespaced: true,
};

export interface GeneratedRoute {
  readonly object: NativeObject;
  /** The policies it is generated for: `meshctl explain` shows them. */
  readonly sourcePolicies: readonly PolicyRef[];
}

/** Undefined if no policy sets a timeout. */
export function routeFor(
  { namespace, name }: DestinationView['destination'],
  routes: DestinationView['routes'],
): GeneratedRoute | undefined {
  // The core has removed what the capabilities do not name, such as routes with matches: what is left is for all requests.
  const timeout = routes.find(({ actions }) => actions.timeoutMs !== undefined)?.actions.timeoutMs;
  if (timeout === undefined) return undefined;
  const object = {
    apiVersion: `${ROUTE.group}/${ROUTE.version}`,
    kind: ROUTE.kind,
    metadata: { name: `meshrelay-${name}`, namespace },
    spec: { service: name, timeoutMs: timeout.value },
  };
  return { object, sourcePolicies: timeout.from };
}
