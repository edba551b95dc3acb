/**
 * Discovered objects in the management cluster: written once, repaired, and deleted only if their source is proven
 * gone.
 */
import type { KubeObject } from '@meshrelay/api';
import type { KubeObject as SimObject } from '@meshrelay/kube-sim';
import { deleteObject, MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { DiscoveredController, HASH_ANNOTATION } from '../../src/controllers/discovered-controller.ts';
import type { Fleet } from '../../src/store/fleet.ts';
import { type BareCluster, startBareCluster } from '../support/cluster.ts';
import { destination } from '../support/discovered.ts';
import { batch, DESTINATION, fleetOf, MESH } from '../support/fleet.ts';

const DISCOVERY = 'discovery.meshrelay.dev/v1alpha1';

async function controller({ connection }: BareCluster, fleet: Fleet, registryKnown = true) {
  const found = new DiscoveredController({
    connection,
    namespace: 'meshrelay',
    fleet,
    shown: await fleet.shown(),
    management: { registryKnown },
    logger: silentLogger,
  });
  const stop = fleet.listen((changes) => found.changed(changes));
  return {
    controller: found,
    async [Symbol.asyncDispose]() {
      stop();
      await found[Symbol.asyncDispose]();
    },
  };
}

const get = ({ sim }: BareCluster, name: string): KubeObject | undefined =>
  sim.objects.get({ apiVersion: DISCOVERY, kind: 'Destination', namespace: 'meshrelay', name }) as
    | KubeObject
    | undefined;

async function fleetWith(...names: readonly string[]): Promise<Fleet> {
  const fleet = await fleetOf('c1');
  await fleet.open('c1', 1, [DESTINATION, MESH]);
  await announce(fleet, 1, names);
  return fleet;
}

const announce = (
  fleet: Fleet,
  seq: number,
  names: readonly string[],
  gone: readonly string[] = [],
): Promise<unknown> =>
  fleet.accept(
    batch(
      'c1',
      seq,
      names.map((name) => destination('c1', name, 1)),
      {
        kind: DESTINATION,
        deletes: gone.map((name) => ({ ...DESTINATION, namespace: 'bookinfo', name })),
      },
    ),
  );

test('another leader does not rewrite existing objects', async () => {
  await using cluster = await startBareCluster();
  const fleet = await fleetWith('reviews');
  {
    await using _first = await controller(cluster, fleet);
    await eventually('it is written', () => get(cluster, 'reviews-bookinfo-c1'));
  }
  const { resourceVersion } = get(cluster, 'reviews-bookinfo-c1')?.metadata ?? {};
  await using _second = await controller(cluster, fleet);
  await announce(fleet, 2, ['ratings']);
  await eventually('the second one works', () => get(cluster, 'ratings-bookinfo-c1'));
  assert.is(get(cluster, 'reviews-bookinfo-c1')?.metadata.resourceVersion, resourceVersion);
});

test('objects that a client changes or deletes are repaired', async () => {
  await using cluster = await startBareCluster();
  const fleet = await fleetWith('reviews');
  await using _controller = await controller(cluster, fleet);
  const written = await eventually('it is written', () => get(cluster, 'reviews-bookinfo-c1'));
  const edited = structuredClone(written) as unknown as { spec: { kubeService: { serviceType: string } } };
  edited.spec.kubeService.serviceType = 'NODE_PORT';
  cluster.sim.objects.update(edited as unknown as SimObject);
  const type = (): unknown =>
    (get(cluster, 'reviews-bookinfo-c1')?.spec as { kubeService: { serviceType: string } } | undefined)?.kubeService
      .serviceType;
  await eventually('it is as it was', () => type() === 'CLUSTER_IP', { seen: type });
  cluster.sim.objects.delete({
    apiVersion: DISCOVERY,
    kind: 'Destination',
    namespace: 'meshrelay',
    name: 'reviews-bookinfo-c1',
  });
  await eventually(
    'it is there again',
    () => get(cluster, 'reviews-bookinfo-c1')?.metadata.annotations?.[HASH_ANNOTATION],
  );
});

test('an object is deleted only when its cluster is synced', async () => {
  await using cluster = await startBareCluster();
  const fleet = await fleetWith('reviews', 'ratings');
  await using found = await controller(cluster, fleet);
  await eventually(
    'they are written',
    () => get(cluster, 'reviews-bookinfo-c1') && get(cluster, 'ratings-bookinfo-c1'),
  );
  assert.not(fleet.progress.get('c1')?.complete);
  await announce(fleet, 2, ['details'], ['reviews']);
  await eventually('others are written', () => get(cluster, 'details-bookinfo-c1'));
  assert.ok(get(cluster, 'reviews-bookinfo-c1'), 'absence is not deletion');
  await fleet.accept(batch('c1', 3, []));
  assert.ok(fleet.progress.get('c1')?.complete);
  found.controller.recheck();
  await eventually('it is gone', () => get(cluster, 'reviews-bookinfo-c1') === undefined);
  assert.ok(get(cluster, 'ratings-bookinfo-c1'));
});

test('objects of unregistered clusters are deleted once the registry is synced', async () => {
  await using cluster = await startBareCluster();
  const fleet = await fleetWith('reviews');
  {
    await using _first = await controller(cluster, fleet);
    await eventually('it is written', () => get(cluster, 'reviews-bookinfo-c1'));
  }
  const empty = await fleetOf('c2');
  {
    await using unsure = await controller(cluster, empty, false);
    await empty.open('c2', 1, [DESTINATION]);
    await empty.accept(batch('c2', 1, [destination('c2', 'marker', 2)], { kind: DESTINATION }));
    await eventually('it works', () => get(cluster, 'marker-bookinfo-c2'));
    unsure.controller.recheck();
  }
  assert.ok(get(cluster, 'reviews-bookinfo-c1'));
  await using _sure = await controller(cluster, empty);
  await eventually('it is gone', () => get(cluster, 'reviews-bookinfo-c1') === undefined);
  assert.ok(get(cluster, 'marker-bookinfo-c2'));
});

test("a user's object of the same name is not changed", async () => {
  const unmanaged = {
    ...destination('c1', 'mine', 9),
    metadata: { name: 'reviews-bookinfo-c1', namespace: 'meshrelay' },
  };
  await using cluster = await startBareCluster(unmanaged);
  const fleet = await fleetWith('reviews', 'ratings');
  await using _controller = await controller(cluster, fleet);
  await eventually('the other one is written', () => get(cluster, 'ratings-bookinfo-c1'));
  assert.equal(get(cluster, 'reviews-bookinfo-c1')?.spec, unmanaged.spec);
  await fleet.write((transaction, fleetState) =>
    deleteObject(transaction, fleetState, MANAGEMENT_CLUSTER, {
      group: 'multicluster.meshrelay.dev',
      kind: 'KubernetesCluster',
      namespace: 'meshrelay',
      name: 'c1',
    }),
  );
  await fleet.forget('c1');
  await eventually('the generated object is deleted', () => get(cluster, 'ratings-bookinfo-c1') === undefined);
  assert.ok(get(cluster, 'reviews-bookinfo-c1'));
});

test.run();
