/** The block of addresses that one party has for itself: what limits for each address are counted by. */

/**
 * @param peer address and port, as `addressOf` and grpc-js write them
 * @returns an IPv4 address, also where it is wrapped in IPv6; of IPv6 the /64, since a host may use every address in its own
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

/** Groups of 16 bits. */
const GROUPS = 8;
