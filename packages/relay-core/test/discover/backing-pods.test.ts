/**
 * Facts that discovery derives from the pods of a Service: their ServiceAccounts, and their labels except those the
 * mesh adds.
 */
import type { Destination, KubeObject } from '@meshrelay/api';
import { type CapabilityTable, defineMeshPlugin, POD, VIEW_FIELDS } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { agentObjects, loadPlugins } from '../../src/mod.ts';

const MESH = { name: 'controller', namespace: 'mesh-system' };

/** Every pod is a member and has the label of the mesh, except those without the label. */
const plugin = defineMeshPlugin<unknown>({
  name: 'labelling',
  contract: 1,
  watches: [],
  writes: [],
  capabilities: Object.fromEntries(VIEW_FIELDS.map((field) => [field, 'native'])) as CapabilityTable,
  discover(define) {
    define.members(
      define.graph.derive('labelling/members', define.objects(POD), ({ metadata }) =>
        metadata.labels?.['proxy-id'] === undefined ? undefined : { mesh: MESH, ownLabels: ['proxy-id'] },
      ),
    );
  },
});

const service = (name: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { selector: { app: name }, ports: [{ port: 80 }] },
  }) as unknown as KubeObject;

const pod = (name: string, app: string, serviceAccountName?: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels: { app, 'proxy-id': `id-of-${name}` } },
    spec: { ...(serviceAccountName === undefined ? {} : { serviceAccountName }), containers: [] },
  }) as unknown as KubeObject;

function discover(objects: readonly KubeObject[]): Destination['spec']['kubeService'] {
  const found = agentObjects({ name: 'cluster-1', objects }, loadPlugins([{ module: 'labelling', plugin }]));
  const destination = found.find(({ kind }) => kind === 'Destination') as Destination | undefined;
  assert.ok(destination);
  return destination.spec.kubeService;
}

test('lists each ServiceAccount of a Service once, in order', () => {
  const { serviceAccounts } = discover([
    service('cart'),
    pod('cart-1', 'cart', 'writer'),
    pod('cart-2', 'cart', 'reader'),
    pod('cart-3', 'cart', 'writer'),
    pod('other', 'other', 'stranger'),
  ]);
  assert.equal(serviceAccounts, ['reader', 'writer']);
});

test('assumes ServiceAccount default for a pod without one', () => {
  assert.equal(discover([service('cart'), pod('cart-1', 'cart')]).serviceAccounts, ['default']);
});

test('lists no ServiceAccount for a Service without pods', () => {
  assert.is(discover([service('cart')]).serviceAccounts, undefined);
});

test('derives no subset from a label that the mesh added to pods', () => {
  const { subsets } = discover([service('cart'), pod('cart-1', 'cart', 'a'), pod('cart-2', 'cart', 'a')]);
  assert.equal(subsets, {});
});

test('names workloads without a proxy where other pods of the Service have one', () => {
  const without = (object: KubeObject, app: string): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, labels: { app } },
  });
  const outside = ['cart-3', 'cart-2'].map((name) => without(pod(name, 'cart'), 'cart'));
  assert.equal(discover([service('cart'), pod('cart-1', 'cart'), ...outside]).workloadsWithoutProxy, [
    'Pod/cart-2',
    'Pod/cart-3',
  ]);
  assert.is(discover([service('cart'), pod('cart-1', 'cart')]).workloadsWithoutProxy, undefined);
  assert.is(discover([service('cart'), ...outside]).workloadsWithoutProxy, undefined, 'it is in no mesh');
});

test.run();
