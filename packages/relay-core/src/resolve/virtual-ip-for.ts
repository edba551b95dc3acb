/** The form of a virtual IP that pods of a mesh can use. */
import type { MeshFacts } from '../plugin/views/mod.ts';

/** A unique local network (RFC 4193) whose last 32 bits are the IPv4 address; its 40 random bits spell "meshr". */
const IPV6_PREFIX = 'fd6d:6573:6872::';

/** The address itself, or for pods without IPv4 the one of IPv6 that stands for it. As many of the one as of the other: none is given twice. */
export function virtualIpFor({ ipFamilies }: Pick<MeshFacts, 'ipFamilies'>, address: string): string {
  if (ipFamilies.length === 0 || ipFamilies.includes('IPV4')) return address;
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${IPV6_PREFIX}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
