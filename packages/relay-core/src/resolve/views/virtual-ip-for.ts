/** The form of a virtual IP that pods of a mesh can use. */
import type { MeshFacts } from '@meshrelay/plugin';

/** Unique local networks (RFC 4193) whose last 32 bits are the IPv4 address; their 40 random bits spell "meshr". */
const IPV6_PREFIX = 'fd6d:6573:6872::';
const IPV6_GATEWAY_RANGE = 'fd6d:6573:6872:1::';
/** From 240.0.0.0/4, where virtual IPs are, to 224.0.0.0/4. */
const TO_MULTICAST = 16;

/**
 * The address itself, or for pods without IPv4 the corresponding IPv6 address. The mapping is one to one, so no address
 * is assigned twice.
 */
export function virtualIpFor(mesh: Pick<MeshFacts, 'ipFamilies'>, address: string): string {
  return hasIpv4(mesh) ? address : `${IPV6_PREFIX}${lastGroups(address)}`;
}

/**
 * The address of the gateway hostname for the name with this address. Proxies next to a gateway see both names, and an
 * address that callers dial must belong to one name only. The mapping is one to one. It yields multicast addresses, on
 * which no host can answer.
 */
export function gatewayIpFor(mesh: Pick<MeshFacts, 'ipFamilies'>, address: string): string {
  if (!hasIpv4(mesh)) return `${IPV6_GATEWAY_RANGE}${lastGroups(address)}`;
  const [first, ...rest] = address.split('.');
  return [Number(first) - TO_MULTICAST, ...rest].join('.');
}

function hasIpv4({ ipFamilies }: Pick<MeshFacts, 'ipFamilies'>): boolean {
  return ipFamilies.length === 0 || ipFamilies.includes('IPV4');
}

function lastGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
