/** IP addresses as octets in a certificate. */
import { isIP } from 'node:net';
import { PkiError } from '../pki-error.ts';

/**
 * Four octets of an IPv4 address, sixteen of an IPv6 one.
 * @throws RELAY_E_PKI_REQUEST when `address` is neither
 */
export function ipOctets(address: string): Uint8Array {
  if (isIP(address) === 4) return Uint8Array.from(address.split('.'), Number);
  // The URL parser expands "::" and embedded IPv4 and yields at most eight groups; it rejects zones ("%eth0").
  if (isIP(address) !== 6 || address.includes('%'))
    throw new PkiError('RELAY_E_PKI_REQUEST', `not an IP address: ${address}`);
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = groups.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = read(head);
  const right = tail === undefined ? [] : read(tail);
  const all = tail === undefined ? left : [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
