/** Allocates IPv4 addresses of a range such that the same object gets the same one in every run. */
import { hashIndex } from './stable-hash.ts';

/** Addresses of one range, each held by at most one key. */
export interface AddressPool {
  /** The address of a key: the one it holds, or a free one derived from its name. @throws Error when none is left */
  claim(key: string): string;
  /** Records that a key holds an address, in this range or not; a held address is not allocated. */
  observe(key: string, address: string | undefined): void;
  /** Releases the address of a key. */
  release(key: string): void;
}

/**
 * A pool over a range such as `10.10.0.0/16`. The first and last address are excluded, as network and broadcast
 * address.
 * @throws Error when the range is not an IPv4 range of at least four addresses
 */
export function createAddressPool(cidr: string): AddressPool {
  const { base, size } = parseRange(cidr);
  const holders = new Map<string, string>();
  const held = new Map<string, string>();

  const release = (key: string): void => {
    const address = held.get(key);
    held.delete(key);
    if (address !== undefined && holders.get(address) === key) holders.delete(address);
  };
  const observe = (key: string, address: string | undefined): void => {
    if (held.get(key) === address) return;
    release(key);
    if (address === undefined) return;
    held.set(key, address);
    holders.set(address, key);
  };
  const claim = (key: string): string => {
    const known = held.get(key);
    if (known !== undefined) return known;
    const start = hashIndex(key, size - 2);
    for (let step = 0; step < size - 2; step++) {
      const address = formatAddress(base + 1 + ((start + step) % (size - 2)));
      if (holders.has(address)) continue;
      observe(key, address);
      return address;
    }
    throw new Error(`no address is left in ${cidr} for ${key}: give the cluster a larger range`);
  };
  return { claim, observe, release };
}

/** The address at a position of a range, counted from 0 for the network address. */
export function addressAt(cidr: string, index: number): string {
  const { base, size } = parseRange(cidr);
  if (index >= size) throw new Error(`${cidr} has ${size} addresses, none at position ${index}: give a larger range`);
  return formatAddress(base + index);
}

function parseRange(cidr: string): { base: number; size: number } {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr);
  const [a = 256, b = 256, c = 256, d = 256, bits = 33] = (match ?? []).slice(1).map(Number);
  if (Math.max(a, b, c, d) > 255 || bits > 30) {
    throw new Error(`"${cidr}" is not a range of IPv4 addresses, expected something like 10.10.0.0/16`);
  }
  const size = 2 ** (32 - bits);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  return { base: address - (address % size), size };
}

function formatAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
