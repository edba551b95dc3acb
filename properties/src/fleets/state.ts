/** The final state of a history, and the fleet built from all of it at once. */
import type { KubeObject } from '@meshrelay/api';
import { sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ControlPlane, canonicalJson, groupOf } from '@meshrelay/relay-core';
import { CLUSTER_NAMES, type Event, type Placed } from './fleet.ts';
import { PLUGINS } from './running-fleet.ts';

/** The objects that exist at the end, in the order in which they arrived. */
export function stateAfter(history: readonly Event[]): Placed[] {
  const state = new Map<string, Placed>();
  for (const { cluster, object, gone } of history.flat()) {
    const { apiVersion, kind, metadata } = object;
    const id = canonicalJson([cluster, groupOf(apiVersion), kind, metadata.namespace ?? '', metadata.name]);
    if (gone) state.delete(id);
    else state.set(id, { cluster, object });
  }
  return [...state.values()];
}

/** The fleet of these objects, with the decisions of a ledger, from scratch. */
export function fromScratch(state: readonly Placed[], ledger: readonly KubeObject[] = []): ControlPlane {
  const of = (cluster: string): KubeObject[] =>
    state.filter((one) => one.cluster === cluster).map(({ object }) => object);
  return buildFleet({
    clusters: CLUSTER_NAMES.map((name) => ({ name, objects: of(name) })),
    management: [...of(''), ...ledger],
    plugins: PLUGINS,
    hash: sha256,
  });
}

/** The decisions that a control plane uses. */
export function ledgerOf({ fleetState }: ControlPlane): KubeObject[] {
  return [...fleetState.ledgers.entries()].map(([, shard]) => shard as KubeObject);
}

/** All outputs of a control plane, one line each, sorted. */
export function saidBy({ desired, statuses, shown }: ControlPlane): string[] {
  const { discovered, statuses: discoveredStatuses } = shown.activate();
  const lines = (what: string, collection: { entries(): Iterable<readonly [string, unknown]> }): string[] =>
    [...collection.entries()].map(([key, value]) => `${what} ${key} ${canonicalJson(value)}`);
  return [
    ...lines('desired', desired),
    ...lines('status', statuses),
    ...lines('discovered', discovered),
    ...lines('discovered status', discoveredStatuses),
  ].sort();
}
