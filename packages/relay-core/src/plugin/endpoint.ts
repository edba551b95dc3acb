/** Endpoint conventions of all meshes: how addresses are written, and which port number clients dial. */
import type { AddressKind, EndpointView } from './views/mod.ts';

/**
 * The kind of an address. Anything with a colon is IPv6, since no host name has one; four numbers below 256 are IPv4.
 */
export function addressKind(address: string): AddressKind {
  if (address.includes(':')) return 'ipv6';
  const parts = address.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)
    ? 'ipv4'
    : 'hostname';
}

/**
 * The number to dial at an endpoint for a port of the destination, by the Service's own number. Undefined if the
 * endpoint does not serve it.
 */
export function portToDial({ ports }: Pick<EndpointView, 'ports'>, servicePort: number): number | undefined {
  return typeof ports === 'number' ? ports : ports[servicePort];
}
