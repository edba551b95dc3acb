/** The sample fleet as its server publishes it in a management cluster. */
import type { KindName, KubeObject } from '@meshrelay/api';
import { meshrelayKind } from '@meshrelay/kube';
import { valuesInOrder } from '@meshrelay/relay-core';
import { readClusters, readManagement } from '../../src/input/inputs.ts';
import { fleetOf } from '../../src/offline/fleet.ts';
import { loadMeshPlugins } from '../../src/offline/plugins.ts';
import { managementCluster, NAMESPACE, type TestCluster } from './clusters.ts';
import { CLUSTERS, MANAGEMENT } from './sample-fleet.ts';

/** A management cluster with the discovered objects, the registered clusters and the VirtualMeshes. */
export async function publishedFleet(): Promise<TestCluster> {
  const plugins = await loadMeshPlugins([]);
  const clusters = readClusters(CLUSTERS, plugins);
  const management = readManagement({ config: [MANAGEMENT] }, plugins);
  const fleet = fleetOf({ clusters, management, plugins, namespace: NAMESPACE });
  const registered = clusters.map(({ name }) => ({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name, namespace: NAMESPACE },
    spec: {},
  }));
  const ledgers = [...fleet.fleetState.ledgers.entries()].map(([, ledger]) => ledger as KubeObject);
  const published = await managementCluster();
  for (const object of [...valuesInOrder(fleet.shown.activate().discovered), ...management, ...registered, ...ledgers])
    await published.connection.objects(meshrelayKind(object.kind as KindName)).create(object);
  return published;
}
