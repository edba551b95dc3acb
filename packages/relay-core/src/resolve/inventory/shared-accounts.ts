/**
 * Services whose pods share one ServiceAccount: meshes that grant access by identity grant it to all of them at once.
 */
import { type Collection, type Key, key, type Read, type SharedAccount } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { KnownDestination } from './known-destination.ts';

/** At most this many Services are named for one account: enough to see which are affected. */
const MAX_NAMED = 20;

/**
 * The first Services by name of each ServiceAccount with more than one, under `key(cluster, namespace,
 * ServiceAccount)`.
 */
export type ServicesOfAccounts = Collection<readonly string[]>;

/** A change among many Services of one account stops at this list, which seldom changes. */
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
