/** When enough is synced to send outputs. */
import { ADMIN_API_VERSION } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { evaluateSafeMode } from '../../src/output/safe-mode.ts';
import { kubernetesCluster, mesh } from '../support/discovered.ts';
import { batch, declare, fleetOf, MESH } from '../support/fleet.ts';

const NOTHING_UNKNOWN: ReadonlyMap<string, string> = new Map();
const ledger = (...clusters: readonly string[]) => ({
  apiVersion: ADMIN_API_VERSION,
  kind: 'Ledger',
  metadata: { name: 'ledger-1', namespace: 'meshrelay' },
  spec: { clusters: clusters.map((name) => ({ name, firstSyncTime: '2026-01-01T00:00:00Z' })) },
});

test('an unsynced registry keeps safe mode on, even an empty one', async () => {
  const fleet = await fleetOf();
  assert.equal(evaluateSafeMode(fleet.fleetState, fleet.progress, new Map([['KubernetesCluster', 'not listed']])), {
    active: true,
    unsyncedKinds: ['KubernetesCluster'],
    unsyncedClusters: [],
    pendingClusters: [],
    unsyncedSuspendedClusters: [],
  });
  assert.not(evaluateSafeMode(fleet.fleetState, fleet.progress, NOTHING_UNKNOWN).active);
});

test('clusters that synced once keep safe mode on, new and suspended ones do not', async () => {
  const fleet = await fleetOf('new', 'old', 'known');
  await declare(fleet, kubernetesCluster('asleep', { suspended: true }), ledger('old', 'known', 'asleep', 'gone'));
  await fleet.open('known', 1, [MESH]);
  await fleet.accept(batch('known', 1, [mesh('known')]));
  const evaluated = evaluateSafeMode(fleet.fleetState, fleet.progress, NOTHING_UNKNOWN);
  assert.equal(evaluated, {
    active: true,
    unsyncedKinds: [],
    unsyncedClusters: ['old'],
    pendingClusters: ['new'],
    unsyncedSuspendedClusters: ['asleep'],
  });
});

test.run();
