/** The pods of a destination whose mesh is configured completely, for the proxies of its own mesh. */
import type { PolicyRef } from '@meshrelay/api';
import type { EndpointView } from './endpoint.ts';
import type { DestinationFacts } from './facts.ts';

/** The pods of a destination. Separate from its other view, so that a change of a pod does not rebuild any route. */
export interface LocalEndpointsView {
  readonly destination: DestinationFacts;
  /** The ready pods, in a fixed order. May be empty. */
  readonly endpoints: readonly EndpointView[];
  /** True if callers bypass its proxies, since a policy disables mutual TLS for them. */
  readonly bypassed: boolean;
  readonly virtualMesh: PolicyRef;
}
