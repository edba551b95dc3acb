/** Which Services have pods under one ServiceAccount: meshes that decide access by identity decide for all of them at once. */
import type { Collection, Graph, Read } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { SharedAccount } from '../plugin/views/mod.ts';
import type { KnownDestination } from './destinations.ts';

/** How many Services are named for one account: enough to see who is concerned, however many there are. */
const MAX_NAMED = 20;

/** The first Services by name of each ServiceAccount with more than one, under `key(cluster, namespace, ServiceAccount)`. */
export type ServicesOfAccounts = Collection<readonly string[]>;

/** A change among many Services of one account goes no further than to this list, which it seldom alters. */
export function servicesOfAccounts(graph: Graph, known: Collection<KnownDestination>): ServicesOfAccounts {
  const grouped = graph.group(
    'resolve/destinations-of-account',
    known,
    (destination): Array<readonly [Key, string]> =>
      destination.serviceAccounts.map((account) => [accountKey(destination, account), destination.name]),
    (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  );
  // One more than are named, since a destination does not name itself.
  return graph.derive('resolve/services-of-account', grouped, (names) =>
    names.length > 1 ? names.slice(0, MAX_NAMED + 1) : undefined,
  );
}

/** The accounts that a destination shares with other Services. */
export function sharedAccounts(
  read: Read,
  services: ServicesOfAccounts,
  destination: KnownDestination,
): SharedAccount[] {
  return destination.serviceAccounts.flatMap((serviceAccount) => {
    const names = read.get(services, accountKey(destination, serviceAccount)) ?? [];
    const others = names.filter((name) => name !== destination.name).slice(0, MAX_NAMED);
    return others.length === 0 ? [] : [{ serviceAccount, services: others }];
  });
}

function accountKey({ cluster, namespace }: KnownDestination, serviceAccount: string): Key {
  return key(cluster, namespace, serviceAccount);
}
