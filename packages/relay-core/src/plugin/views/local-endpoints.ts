/** Where a destination of a mesh that is described wholly has its pods, for the proxies of its own mesh. */
import type { PolicyRef } from '@meshrelay/api';
import type { EndpointView } from './endpoint.ts';
import type { DestinationFacts } from './facts.ts';

/** The pods of a destination. Apart from its other view, so that a pod that comes or goes re-renders no route. */
export interface LocalEndpointsView {
  readonly destination: DestinationFacts;
  /** The ready pods, in a fixed order. May be empty. */
  readonly endpoints: readonly EndpointView[];
  /** True where callers pass its proxies by, since a policy has them use no mutual TLS. */
  readonly bypassed: boolean;
  readonly virtualMesh: PolicyRef;
}
