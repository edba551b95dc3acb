/** Addresses that are not public: loopback, link-local, private and all other reserved ones. */
import { BlockList, isIPv4 } from 'node:net';

/** Reserved by IANA's special-purpose address registries. */
const SPECIAL: readonly (readonly [address: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
];

/** In IPv6, only the range allocated to hosts of the internet can be public. */
const GLOBAL_V6: readonly (readonly [address: string, prefix: number])[] = [['2000::', 3]];

/** Exceptions in that range: tunnels that contain an IPv4 address, documentation and test ranges. */
const SPECIAL_V6: readonly (readonly [address: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [address, prefix, family] of SPECIAL) special.addSubnet(address, prefix, family);
for (const [address, prefix] of SPECIAL_V6) special.addSubnet(address, prefix, 'ipv6');
const global = new BlockList();
for (const [address, prefix] of GLOBAL_V6) global.addSubnet(address, prefix, 'ipv6');

/**
 * Whether an address may belong to a host of the internet. @param address of IPv4 or IPv6, without brackets and zone
 */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address);
  if (isIPv4(plain)) return !special.check(plain, 'ipv4');
  return global.check(plain, 'ipv6') && !special.check(plain, 'ipv6');
}

/** Converts an IPv4-mapped IPv6 address to IPv4. Returns other addresses unchanged. */
export function unmapped(address: string): string {
  const match = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address);
  if (match === null) return address;
  const [, dotted, high = '0', low = '0'] = match;
  if (dotted !== undefined) return dotted;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}
