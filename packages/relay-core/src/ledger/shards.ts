/** The ledger's shards: decisions spread over a fixed number of objects, so that one more decision rewrites a small part. */
import {
  ADMIN_API_VERSION,
  type Ledger,
  type LedgerCluster,
  type LedgerPolicy,
  type LedgerSpec,
  type LedgerVip,
} from '@meshrelay/api';
import type { Collection } from '../graph/collection.ts';
import { key } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';
import { policyKey } from '../store/world.ts';
import type { Decisions } from './decisions.ts';

/** With 100,000 decisions of 150 bytes each, a shard holds 240 kB: far below what etcd takes. */
export const LEDGER_SHARDS = 64;

/** The shards that decisions change, each as it is to be afterwards. Nothing is ever taken out. */
export function shardsWith(
  ledgers: Collection<Ledger>,
  decisions: Decisions,
  namespace: string,
  hash: Hasher,
): Ledger[] {
  const changed = new Map<string, Ledger>();
  const shard = (id: string): Ledger => {
    const name = `ledger-${Number.parseInt(hash(id).slice(0, 8), 16) % LEDGER_SHARDS}`;
    return changed.get(name) ?? ledgers.get(key(name)) ?? emptyShard(name, namespace);
  };
  const put = (ledger: Ledger, spec: LedgerSpec) =>
    changed.set(ledger.metadata.name, { ...ledger, spec: { ...ledger.spec, ...spec } });
  for (const entry of decisions.policies) {
    const ledger = shard(policyKey(entry));
    put(ledger, { policies: replaced<LedgerPolicy>(ledger.spec.policies, entry, policyKey) });
  }
  for (const entry of decisions.vips) {
    const ledger = shard(entry.host);
    put(ledger, { vips: replaced<LedgerVip>(ledger.spec.vips, entry, ({ host }) => host) });
  }
  for (const entry of decisions.clusters) {
    const ledger = shard(entry.name);
    put(ledger, { clusters: replaced<LedgerCluster>(ledger.spec.clusters, entry, ({ name }) => name) });
  }
  return [...changed.values()];
}

/** The entries with this one in the place of the one with the same id, ordered by id. */
function replaced<E>(entries: readonly E[] = [], entry: E, idOf: (entry: E) => string): E[] {
  const id = idOf(entry);
  return [...entries.filter((other) => idOf(other) !== id), entry].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

function emptyShard(name: string, namespace: string): Ledger {
  return { apiVersion: ADMIN_API_VERSION, kind: 'Ledger', metadata: { name, namespace }, spec: {} };
}
