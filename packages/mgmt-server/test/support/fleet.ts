/** A fleet without a server, to test single stages. */

import type { KubeObject } from '@meshrelay/api';
import { MANAGEMENT_CLUSTER, setObject } from '@meshrelay/relay-core';
import type { InputBatch } from '@meshrelay/relay-protocol';
import { MemoryStore } from '@meshrelay/store';
import { silentLogger } from '@meshrelay/telemetry';
import { TEST_PLUGINS } from '@meshrelay/test-mesh';
import { Fleet } from '../../src/store/fleet.ts';
import { kubernetesCluster } from './discovered.ts';
import { envelopeOf } from './envelope.ts';

export function newFleet(store: MemoryStore = new MemoryStore()): Fleet {
  return new Fleet({
    plugins: TEST_PLUGINS,
    namespace: 'meshrelay',
    store,
    logger: silentLogger,
    now: () => performance.now(),
  });
}

/** Writes objects of the management cluster. */
export async function declare(fleet: Fleet, ...objects: readonly KubeObject[]): Promise<void> {
  await fleet.write((transaction, fleetState) => {
    for (const object of objects) setObject(transaction, fleetState, MANAGEMENT_CLUSTER, object);
  });
}

/** A fleet with these clusters registered. */
export async function fleetOf(...clusters: readonly string[]): Promise<Fleet> {
  const fleet = newFleet();
  await declare(fleet, ...clusters.map((name) => kubernetesCluster(name)));
  return fleet;
}

export const MESH = { group: 'discovery.meshrelay.dev', version: 'v1alpha1', kind: 'Mesh' };
export const DESTINATION = { ...MESH, kind: 'Destination' };

/** A batch of one kind as a cluster's push stream returns it. */
export function batch(
  cluster: string,
  seq: number,
  objects: readonly KubeObject[],
  { term = 1, kind = MESH, synced = true, deletes = [], followed = true, inStep = true }: Partial<InputBatch> = {},
): InputBatch {
  return { cluster, term, seq, kind, upserts: objects.map(envelopeOf), deletes, synced, followed, inStep };
}
