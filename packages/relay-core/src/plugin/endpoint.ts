/** How addresses of endpoints are written. */
import type { AddressKind } from '@meshrelay/plugin';

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
