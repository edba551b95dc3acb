/** Addresses as text: one canonical form for each, and those that mean something else to every client. */

/** The canonical form of an IP address or a host name; equal exactly if they are the same address. */
export function canonicalAddress(address: string): string {
  const name = address.toLowerCase().replace(/\.$/, '');
  const groups = ipv6Groups(name);
  if (groups === undefined) return name;
  const mapped = groups.slice(0, 6).every((group, index) => group === (index === 5 ? 0xffff : 0));
  const [high = 0, low = 0] = groups.slice(6);
  if (mapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  return groups.map((group) => group.toString(16)).join(':');
}

/**
 * Why an address cannot be one that other clusters dial: it refers to each caller's own host, network or cluster.
 * Undefined if it can be dialled. Virtual IPs of federated hosts are in 240.0.0.0/4.
 */
export function notDialable(address: string): string | undefined {
  const canonical = canonicalAddress(address);
  const octets = ipv4Octets(canonical);
  if (octets !== undefined) return ofIpv4(octets);
  if (canonical.includes(':')) return ofIpv6(canonical);
  if (canonical === 'localhost' || canonical.endsWith('.localhost')) return 'is a loopback address';
  if (!canonical.includes('.')) return 'is a name that each cluster resolves by itself';
  return /\.svc(\.|$)/.test(canonical) ? 'is a name of a Service, which each cluster resolves by itself' : undefined;
}

function ofIpv4([first, second]: readonly [number, number, number, number]): string | undefined {
  if (first === 0 || first === 127) return 'is a loopback address';
  if (first === 169 && second === 254) return 'is a link-local address';
  if (first >= 224 && first < 240) return 'is a multicast address';
  if (first >= 240) return 'is in 240.0.0.0/4, the range of the virtual IPs of federated hosts';
  return undefined;
}

function ofIpv6(canonical: string): string | undefined {
  const first = Number.parseInt(canonical, 16);
  if (/^(0:){7}[01]$/.test(canonical)) return 'is a loopback address';
  if ((first & 0xffc0) === 0xfe80) return 'is a link-local address';
  if ((first & 0xff00) === 0xff00) return 'is a multicast address';
  return undefined;
}

function ipv4Octets(text: string): readonly [number, number, number, number] | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = match.slice(1).map(Number);
  return [a, b, c, d].every((octet) => octet <= 255) ? [a, b, c, d] : undefined;
}

/** The eight groups; undefined if the text is not an IPv6 address. */
function ipv6Groups(text: string): readonly number[] | undefined {
  if (!text.includes(':') || !/^[0-9a-f:.]+$/.test(text)) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const parts = halves.map((half) => groupsOf(half));
  if (parts.some((half) => half === undefined)) return undefined;
  const [left = [], right = []] = parts as number[][];
  const missing = 8 - left.length - right.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return [...left, ...new Array<number>(missing).fill(0), ...right];
}

function groupsOf(half: string): number[] | undefined {
  if (half === '') return [];
  const groups: number[] = [];
  for (const part of half.split(':')) {
    const octets = ipv4Octets(part);
    if (octets !== undefined) groups.push(octets[0] * 256 + octets[1], octets[2] * 256 + octets[3]);
    else if (/^[0-9a-f]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}
