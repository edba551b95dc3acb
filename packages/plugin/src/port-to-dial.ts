/** The port number that clients dial at an endpoint. */
import type { EndpointView } from './views/mod.ts';

/**
 * The number to dial at an endpoint for a port of the destination, by the Service's own number. Undefined if the
 * endpoint does not serve it.
 */
export function portToDial({ ports }: Pick<EndpointView, 'ports'>, servicePort: number): number | undefined {
  return typeof ports === 'number' ? ports : ports[servicePort];
}
