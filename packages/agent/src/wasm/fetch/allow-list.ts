/**
 * Hosts from which modules may be fetched, as the agent's configuration lists them. So the author of a WasmDeployment
 * cannot make the agent call any other host.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { isPublicAddress, unmapped } from './special-addresses.ts';

/** Hosts that the agent may call. */
interface HostEntry {
  readonly protocol: 'https:' | 'http:';
  /** In lower case. With a leading dot: every host below that domain; undefined: every host. */
  readonly host: string | undefined;
  readonly port: string;
}

const PORTS = { 'https:': '443', 'http:': '80' } as const;
const ENTRY = /^(?:(https?):\/\/)?(\*\.[a-z0-9.-]+|\*|\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::([0-9]{1,5}))?$/;
const SUBNET = /^([0-9a-f:.]+)\/([0-9]{1,3})$/;

/** Error in a list entry; undefined if it is valid. */
export function entryProblem(text: string): string | undefined {
  if (subnetOf(text) !== undefined || hostOf(text) !== undefined) return undefined;
  return 'expected a host (modules.example.com, *.example.com or *, with :PORT if it is not 443, with http:// if it has no TLS) or addresses (10.1.0.0/16)';
}

export class AllowList {
  readonly #hosts: readonly HostEntry[];
  readonly #addresses = new BlockList();

  /** @param entries each without an {@link entryProblem} */
  constructor(entries: readonly string[]) {
    const hosts: HostEntry[] = [];
    for (const text of entries) {
      const subnet = subnetOf(text);
      const entry = subnet === undefined ? hostOf(text) : undefined;
      if (subnet !== undefined) this.#addresses.addSubnet(subnet.address, subnet.prefix, familyOf(subnet.address));
      if (entry === undefined) continue;
      hosts.push(entry);
      const { host = '' } = entry;
      if (isIP(host) !== 0) this.#addresses.addAddress(host, familyOf(host));
    }
    this.#hosts = hosts;
  }

  /** Why the agent may not call a URL, whatever the address of its host; undefined if it may. */
  urlProblem({ protocol, hostname, port }: URL): string | undefined {
    if (protocol !== 'https:' && protocol !== 'http:')
      return `${protocol}// is not a supported scheme for modules; use https`;
    const host = bare(hostname);
    const required = port === '' ? PORTS[protocol] : port;
    if (this.#hosts.some((entry) => entry.protocol === protocol && entry.port === required && fits(entry, host)))
      return undefined;
    const asEntry = `${protocol === 'http:' ? 'http://' : ''}${hostname}${port === '' ? '' : `:${port}`}`;
    return `the agent may not fetch modules from ${protocol}//${hostname}${port === '' ? '' : `:${port}`}; add ${asEntry} to wasm.hosts of its configuration, or use a listed host`;
  }

  /** Why the agent may not call a resolved address; undefined if it may. */
  addressProblem(host: string, address: string): string | undefined {
    const plain = unmapped(address);
    if (isPublicAddress(plain) || this.#addresses.check(plain, familyOf(plain))) return undefined;
    return `${bare(host)} is at ${plain}, which is not a public address; to allow it, add ${plain}/${isIPv6(plain) ? 128 : 32} to wasm.hosts of the agent's configuration`;
  }
}

function fits({ host: pattern }: HostEntry, host: string): boolean {
  if (pattern === undefined) return isIP(host) === 0;
  return pattern.startsWith('.') ? host.endsWith(pattern) : host === pattern;
}

function subnetOf(text: string): { readonly address: string; readonly prefix: number } | undefined {
  const [, address = '', length = ''] = SUBNET.exec(text.toLowerCase()) ?? [];
  const family = isIP(address);
  const prefix = Number(length);
  return family === 0 || prefix > (family === 4 ? 32 : 128) ? undefined : { address, prefix };
}

function hostOf(text: string): HostEntry | undefined {
  const match = ENTRY.exec(text.toLowerCase());
  if (match === null) return undefined;
  const [, scheme = 'https', name = '', port] = match;
  const protocol = `${scheme}:` as HostEntry['protocol'];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65535)) return undefined;
  const host = name === '*' ? undefined : name.startsWith('*.') ? name.slice(1) : bare(name);
  if (host !== undefined && name.startsWith('[') && !isIPv6(host)) return undefined;
  return { protocol, host, port: port ?? PORTS[protocol] };
}

/** Normalizes a host: without the brackets of an address and without a trailing dot. */
function bare(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
