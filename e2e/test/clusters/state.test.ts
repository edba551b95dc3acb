/** The objects of a cluster: what a controller replaces counts as the same object. */
import { assert, test } from '@meshrelay/testing';
import type { Client } from '@meshrelay/testing/api-server';
import { added, objectsOf } from '../../clusters/story/state.ts';

const CONTROLLED = { kind: 'ReplicaSet', name: 'reviews-5d', controller: true };

function clusterOf(items: readonly object[]): Client {
  const bodies: Readonly<Record<string, object>> = {
    '/apis': { groups: [] },
    '/api/v1': {
      resources: [
        { name: 'pods', verbs: ['list'] },
        { name: 'pods/log', verbs: ['get'] },
        { name: 'events', verbs: ['list'] },
      ],
    },
    '/api/v1/pods': { items },
  };
  return { get: async (path: string) => ({ status: path in bodies ? 200 : 404, body: bodies[path] }) } as Client;
}

test('a pod that its ReplicaSet has replaced counts as the same object, one without a controller as another', async () => {
  const pod = (name: string, more: object = {}) => ({ metadata: { name, namespace: 'bookinfo', ...more } });
  const owned = { ownerReferences: [{ kind: 'Node', name: 'east' }, CONTROLLED] };
  const before = await objectsOf(clusterOf([pod('reviews-5d-a', owned), pod('single')]));
  const after = await objectsOf(clusterOf([pod('reviews-5d-b', owned), pod('other')]));
  assert.equal(added(before, after), ['pods. bookinfo/other']);
});

test('a kind that the server does not list is an error', async () => {
  const { get } = clusterOf([]);
  const broken = { get: async (path: string) => (path === '/api/v1/pods' ? { status: 503 } : get(path)) } as Client;
  const error = await objectsOf(broken).catch((thrown: Error) => thrown);
  assert.match(String(error), 'GET /api/v1/pods answered 503');
});

test.run();
