/** The vector: clusters that are part of it, gone, or omitted. */
import { ADMIN_API_VERSION } from '@meshrelay/api';
import { deleteObject, MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';
import { GONE, type InputVersion } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { InputVectors } from '../../src/output/input-vectors.ts';
import type { Fleet } from '../../src/store/fleet.ts';
import { kubernetesCluster, mesh } from '../support/discovered.ts';
import { batch, DESTINATION, declare, fleetOf, MESH } from '../support/fleet.ts';

const ledger = (...clusters: readonly string[]) => ({
  apiVersion: ADMIN_API_VERSION,
  kind: 'Ledger',
  metadata: { name: 'ledger-1', namespace: 'meshrelay' },
  spec: { clusters: clusters.map((name) => ({ name, firstSyncTime: '2026-01-01T00:00:00Z' })) },
});

function vectorsOf(fleet: Fleet, management: Map<string, InputVersion> = new Map()) {
  return new InputVectors({ fleet, managementVersions: () => management });
}

async function undeclare(fleet: Fleet, name: string): Promise<void> {
  await fleet.write((transaction, fleetState) =>
    deleteObject(transaction, fleetState, MANAGEMENT_CLUSTER, {
      group: 'multicluster.meshrelay.dev',
      kind: 'KubernetesCluster',
      namespace: 'meshrelay',
      name,
    }),
  );
}

test('it is the same Map until something changes', async () => {
  const fleet = await fleetOf('c1');
  const management = new Map([['/Settings', { term: 5, seq: 0 }]]);
  const vectors = vectorsOf(fleet, management);
  const first = vectors.current();
  assert.is(vectors.current(), first);
  management.set('/Settings', { term: 5, seq: 1 });
  assert.is.not(vectors.current(), first);
  assert.equal(vectors.current(), new Map([['/Settings', { term: 5, seq: 1 }]]));
});

test('a cluster is part of it from its first complete snapshot', async () => {
  const fleet = await fleetOf('c1');
  const vectors = vectorsOf(fleet);
  await fleet.open('c1', 1, [MESH, DESTINATION]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  assert.is(vectors.current().size, 0);
  await fleet.accept(batch('c1', 2, [], { kind: DESTINATION }));
  assert.equal(vectors.current().get('c1'), { term: 1, seq: 2 });
  await fleet.open('c1', 2, [MESH, DESTINATION, { ...MESH, kind: 'Workload' }]);
  assert.equal(vectors.current().get('c1'), { term: 1, seq: 2 }, 'it stays when it is incomplete again');
});

test('a cluster that synced once and is not connected is omitted; suspended or deregistered it is gone', async () => {
  const fleet = await fleetOf('silent');
  await declare(fleet, ledger('silent', 'ended', 'asleep'), kubernetesCluster('asleep', { suspended: true }));
  const vectors = vectorsOf(fleet);
  assert.equal(
    vectors.current(),
    new Map([
      ['ended', GONE],
      ['asleep', GONE],
    ]),
  );
});

test('a cluster that only agents know is gone, unless it is registered', async () => {
  const fleet = await fleetOf('c1');
  const vectors = vectorsOf(fleet);
  vectors.seen(['c1', 'forgotten', '/Ledger']);
  assert.equal(vectors.current(), new Map([['forgotten', GONE]]));
});

test('a replica that is behind does not claim newer inputs during its comparison', async () => {
  const fleet = await fleetOf('c1');
  const vectors = vectorsOf(fleet);
  await fleet.open('c1', 1, [MESH, DESTINATION]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  await fleet.accept(batch('c1', 2, [], { kind: DESTINATION }));
  // Its agent continued elsewhere, to 1/8, and returns: all kinds are compared, and those that differ are sent last.
  await fleet.open('c1', 1, [MESH, DESTINATION]);
  await fleet.accept(batch('c1', 9, [], { followed: false, inStep: false }));
  assert.equal(vectors.current().get('c1'), { term: 1, seq: 2 });
  await fleet.accept(batch('c1', 10, [], { kind: DESTINATION, followed: false }));
  assert.equal(vectors.current().get('c1'), { term: 1, seq: 10 });
});

test('an agent that continues where it was counts without a comparison', async () => {
  const fleet = await fleetOf('c1');
  const vectors = vectorsOf(fleet);
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  await fleet.open('c1', 1, [MESH], true);
  await fleet.accept(batch('c1', 2, []));
  assert.equal(vectors.current().get('c1'), { term: 1, seq: 2 });
});

test('a deregistered cluster is gone, and newer than anything when it returns', async () => {
  const fleet = await fleetOf('c1');
  const vectors = vectorsOf(fleet);
  await fleet.open('c1', 1, [MESH]);
  await fleet.accept(batch('c1', 1, [mesh('c1')]));
  assert.equal(vectors.current().get('c1'), { term: 1, seq: 1 });
  await undeclare(fleet, 'c1');
  assert.is(vectors.current().get('c1'), GONE);
  await fleet.forget('c1');
  assert.is(vectors.current().get('c1'), GONE);
});

test.run();
