/** Published objects lead back to the objects that agents push. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { buildFleet, type ClusterObjects, pushedObjects, valuesInOrder } from '../../src/mod.ts';
import { fakePlugin } from '../support/fake-plugin.ts';
import { sha256 as hash } from '../support/hash.ts';

const apiVersion = 'discovery.meshrelay.dev/v1alpha1';

/** What the agent of a cluster pushes: a mesh in each namespace, with a workload and a destination of that mesh. */
function pushed(cluster: string, ...namespaces: readonly string[]): ClusterObjects {
  const objects = namespaces.flatMap((namespace) => {
    const mesh = { name: 'control', namespace };
    const own = { name: 'reviews', namespace, clusterName: cluster };
    return [
      {
        apiVersion,
        kind: 'Mesh',
        metadata: mesh,
        spec: { type: 'fake', cluster, installation: { namespace }, trustDomain: 'shop.example' },
      },
      {
        apiVersion,
        kind: 'Workload',
        metadata: { name: 'reviews-deployment', namespace },
        spec: { kubernetes: { controller: { ...own, kind: 'Deployment' }, serviceAccountName: 'reviews' }, mesh },
      },
      {
        apiVersion,
        kind: 'Destination',
        metadata: { name: 'reviews', namespace },
        spec: { kubeService: { ref: own, ports: [{ port: 80 }], serviceType: 'CLUSTER_IP' }, mesh },
      },
    ];
  });
  const named = namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: {} }));
  return { name: cluster, objects: [...named, ...objects] as readonly KubeObject[] };
}

function published(clusters: readonly ClusterObjects[]) {
  const fleet = buildFleet({ clusters: [], pushed: clusters, management: [], plugins: [fakePlugin()], hash });
  return valuesInOrder(fleet.shown.activate().discovered);
}

const idOf = ({ kind, metadata }: KubeObject): string => JSON.stringify([kind, metadata.namespace, metadata.name]);
const inOrder = (clusters: readonly ClusterObjects[]) =>
  clusters
    .map(({ name, objects }) => ({ name, objects: objects.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1)) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

test('each cluster has the objects that its agent pushed, with names and references of its own', () => {
  const clusters = [pushed('east', 'system'), pushed('west', 'system', 'other')];
  assert.equal(inOrder(pushedObjects(published(clusters))), inOrder(clusters));
});

test('also where a published name has digits of a hash, because another cluster could own it', () => {
  const clusters = [pushed('east', 'system-us'), pushed('us-east', 'system')];
  const objects = published(clusters);
  assert.ok(
    objects.some(({ kind, metadata }) => kind === 'Mesh' && /^control-system-us-east-[0-9a-f]{6}$/.test(metadata.name)),
    objects.map(({ metadata }) => metadata.name).join(),
  );
  assert.equal(inOrder(pushedObjects(objects)), inOrder(clusters));
});

test('an object outside any mesh has no mesh', () => {
  const [destination] = pushed('east', 'system').objects.filter(({ kind }) => kind === 'Destination');
  assert.ok(destination !== undefined);
  const { mesh: _, ...spec } = destination.spec as Record<string, unknown>;
  const [found] = pushedObjects(published([{ name: 'east', objects: [{ ...destination, spec }] }]));
  assert.equal(found?.objects.at(-1)?.spec, spec);
});

test.run();
