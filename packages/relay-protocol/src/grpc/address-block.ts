/** The address block of one party: limits per address are counted by it. */

/**
 * @param peer address and port, as `addressOf` and grpc-js write them
 * @returns an IPv4 address, also when it is mapped into IPv6; the /64 of an IPv6 address, since a host may use every
 *   address in it
 */
export function addressBlock(peer: string): string {
  const host = peer.slice(0, peer.lastIndexOf(':')).replace(/%.*$/, '');
  if (!host.includes(':')) return host;
  const wrapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(host)?.[1];
  if (wrapped !== undefined) return wrapped;
  const [head = [], tail = []] = host.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, GROUPS - head.length - tail.length) }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, GROUPS / 2).join(':')}::/64`;
}

/** 16-bit groups. */
const GROUPS = 8;
