/**
 * The ledger's shards: decisions are spread over a fixed number of objects, so that a new decision rewrites only a
 * small part.
 */
import {
  ADMIN_API_VERSION,
  type Ledger,
  type LedgerCluster,
  type LedgerPolicy,
  type LedgerSpec,
  type LedgerVip,
} from '@meshrelay/api';
import { type Key, key } from '@meshrelay/plugin';
import type { Hasher } from '../input/canonical.ts';
import { type FleetState, policyKey } from '../store/fleet-state.ts';
import type { Decisions } from './decisions.ts';

/**
 * With 10,000 policies of 5 kB each and 100,000 addresses, a shard holds 230 kB: far below etcd's limit. A shard
 * without a decision has no object.
 */
export const LEDGER_SHARDS = 256;

/** The shards that decisions change, each in its new state. */
export function shardsWith(
  { ledgers, ledgersOfPolicy, ledgersOfHost }: Pick<FleetState, 'ledgers' | 'ledgersOfPolicy' | 'ledgersOfHost'>,
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
  const takeOut = (id: Key): void => {
    for (const [, known] of ledgersOfPolicy.entriesOf(id)) {
      const ledger = changed.get(known.metadata.name) ?? known;
      put(ledger, { policies: (ledger.spec.policies ?? []).filter((other) => policyKey(other) !== id) });
    }
  };
  const takeOutVip = (host: string): void => {
    for (const [, known] of ledgersOfHost.entriesOf(key(host))) {
      const ledger = changed.get(known.metadata.name) ?? known;
      put(ledger, { vips: (ledger.spec.vips ?? []).filter((other) => other.host !== host) });
    }
  };
  for (const entry of decisions.gone) takeOut(policyKey(entry));
  for (const entry of decisions.policies) {
    const id = policyKey(entry);
    // A ledger with another number of shards, or edited by hand, may have the entry in another shard; two entries would
    // have two sequences.
    takeOut(id);
    const ledger = shard(id);
    put(ledger, { policies: replaced<LedgerPolicy>(ledger.spec.policies, entry, policyKey) });
  }
  for (const entry of decisions.vips) {
    takeOutVip(entry.host);
    const ledger = shard(entry.host);
    put(ledger, { vips: replaced<LedgerVip>(ledger.spec.vips, entry, ({ host }) => host) });
  }
  for (const name of decisions.left ?? [])
    for (const [, known] of ledgers.entries()) {
      if (!(known.spec.clusters ?? []).some((other) => other.name === name)) continue;
      const ledger = changed.get(known.metadata.name) ?? known;
      put(ledger, { clusters: (ledger.spec.clusters ?? []).filter((other) => other.name !== name) });
    }
  for (const entry of decisions.clusters) {
    const ledger = shard(entry.name);
    put(ledger, { clusters: replaced<LedgerCluster>(ledger.spec.clusters, entry, ({ name }) => name) });
  }
  return [...changed.values()];
}

/** The entries with this one replacing the one with the same id, ordered by id. */
function replaced<E>(entries: readonly E[] = [], entry: E, idOf: (entry: E) => string): E[] {
  const id = idOf(entry);
  return [...entries.filter((other) => idOf(other) !== id), entry].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

function emptyShard(name: string, namespace: string): Ledger {
  return { apiVersion: ADMIN_API_VERSION, kind: 'Ledger', metadata: { name, namespace }, spec: {} };
}
