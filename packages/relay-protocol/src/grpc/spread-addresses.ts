/** Order of a server's addresses: each agent, at each attempt, tries them in its own random order. */
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { RelayConnectionOptions } from './relay-connection.ts';

/** The addresses of a name now. */
export type Lookup = (host: string) => Promise<ReadonlyArray<{ readonly address: string; readonly family: number }>>;

const system: Lookup = (host) => systemLookup(host, { all: true });

/**
 * The same connection with addresses instead of a name, in random order. grpc-js can shuffle, but never moves the first
 * of two addresses. It resolves a name only once in thirty seconds. A name that cannot be resolved stays, and the
 * attempt fails with the reason.
 * @param random from 0 to below 1
 */
export async function spreadAddresses(
  options: RelayConnectionOptions,
  random: () => number,
  lookup: Lookup = system,
): Promise<RelayConnectionOptions> {
  const list = /^(ipv[46]):(.*)$/.exec(options.address);
  if (list !== null)
    return { ...options, address: `${list[1]}:${shuffled((list[2] ?? '').split(','), random).join()}` };
  const [, name, port] = /^([^:[\]/]+):(\d+)$/.exec(options.address) ?? [];
  if (name === undefined || isIP(name) !== 0) return options;
  const found = await lookup(name).catch(() => []);
  const [first, ...rest] = shuffled(found, random);
  if (first === undefined || rest.length === 0) return options;
  // grpc-js accepts lists of one family; another attempt uses the other one.
  const same = [first, ...rest.filter(({ family }) => family === first.family)];
  const hosts = same.map(({ address }) => (first.family === 6 ? `[${address}]:${port}` : `${address}:${port}`));
  return { ...options, authority: options.authority ?? name, address: `ipv${first.family}:${hosts.join()}` };
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}
