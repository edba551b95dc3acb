/** A control plane filled with a fleet, and its result. */
import { createHash, hash } from 'node:crypto';
import type { KubeObject } from '@meshrelay/api';
import { compressedPages } from '@meshrelay/host/pages';
import istio from '@meshrelay/plugin-istio';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  canonicalJson,
  compareKeys,
  createControlPlane,
  createGraph,
  type Hasher,
  type Key,
  loadPlugins,
  setObject,
  settle,
} from '@meshrelay/relay-core';
import type { FleetObject } from './generate.ts';

/** SHA-256 cut to 128 bits, as the server's. */
export const sha256: Hasher = (text) => hash('sha256', text, 'hex').slice(0, 32);

export const OPTIONS: ControlPlaneOptions = {
  plugins: loadPlugins([{ module: '@meshrelay/plugin-istio', plugin: istio }]),
  hash: sha256,
  pages: compressedPages,
};

/** An object of a fleet, parsed. */
export interface ParsedObject {
  readonly cluster: string;
  readonly object: KubeObject;
}

export function parsed({ cluster, json }: FleetObject): ParsedObject {
  return { cluster, object: JSON.parse(json) as KubeObject };
}

/** Decoders validate policies, as the server's does; a fleet's policies are valid. */
const NO_FAULTS: readonly never[] = [];

/** Feeds a new control plane in one commit, and makes every pending decision. */
export function fill(objects: Iterable<ParsedObject>, ledgers: Iterable<KubeObject> = []): ControlPlane {
  const plane = createControlPlane(createGraph(), OPTIONS);
  plane.graph.commit((transaction) => {
    for (const { cluster, object } of objects) setObject(transaction, plane.fleetState, cluster, object, NO_FAULTS);
    for (const ledger of ledgers) setObject(transaction, plane.fleetState, '', ledger);
  });
  settle(plane, OPTIONS);
  return plane;
}

/** SHA-256 over every output and every status, in the order of their keys: equal digests mean equal bytes. */
export function digest({ desired, statuses, graph }: ControlPlane): string {
  if (graph.quarantined.size > 0) {
    const [first] = graph.quarantined.entries();
    throw new Error(
      `${graph.quarantined.size} items failed, first ${JSON.stringify(first?.[0])}: ${String(first?.[1].error)}`,
    );
  }
  const sum = createHash('sha256');
  const collections: ReadonlyArray<{ entries(): Iterable<readonly [Key, unknown]> }> = [desired, statuses];
  for (const collection of collections)
    for (const [key, value] of [...collection.entries()].sort(([a], [b]) => compareKeys(a, b)))
      sum.update(key).update(canonicalJson(value));
  return sum.digest('hex');
}
