/** Virtual IPs of federated hosts: in 240.0.0.0/4, chosen by hash, decided once and stored in the ledger. */
import type { LedgerVip } from '@meshrelay/api';
import type { Hasher } from '../input/canonical.ts';

const FIRST = 0xf0_00_00_01;
/** 240.0.0.1 to 255.255.255.254: neither the network address nor the broadcast address. */
const COUNT = 0xff_ff_ff_fe - FIRST + 1;

/**
 * Addresses for hosts without one: the first free address from the host's hash onwards. The same hosts and taken
 * addresses give the same result, in any order.
 * @throws Error if all addresses are taken
 */
export function allocateVirtualIps(hosts: Iterable<string>, taken: ReadonlySet<string>, hash: Hasher): LedgerVip[] {
  const used = new Set(taken);
  return [...hosts].sort().map((host) => {
    if (used.size >= COUNT)
      throw new Error(`no virtual IP is left for ${host}: all ${COUNT} addresses of 240.0.0.0/4 are taken`);
    let offset = Number.parseInt(hash(host).slice(0, 12), 16) % COUNT;
    while (used.has(text(offset))) offset = (offset + 1) % COUNT;
    const address = text(offset);
    used.add(address);
    return { host, address };
  });
}

function text(offset: number): string {
  const value = FIRST + offset;
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff].map((byte) => byte & 0xff).join('.');
}

/**
 * The hosts that must get another address, of those that share one; undefined if only one host has it. No decision
 * creates such a pair, but a ledger that was partly restored or edited by hand can contain one. The first host by name
 * keeps the address.
 */
export function robbedHosts(hosts: readonly string[]): readonly string[] | undefined {
  return hosts.length > 1 ? hosts.toSorted().slice(1) : undefined;
}
