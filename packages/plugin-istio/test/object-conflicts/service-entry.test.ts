/** Users' services with the host of a generated one: no generated setting applies to them. */
import type { KubeObject } from '@meshrelay/api';
import type { MeshFacts, NativeObject } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { objectConflicts } from '../../src/object-conflicts/object-conflicts.ts';

const HOST = 'reviews.shop.svc.cluster-1.global';
const MESHES = [{ clusterDomain: 'cluster.local', details: {} }] as unknown as readonly MeshFacts[];

function object(kind: string, namespace: string, spec: object): NativeObject {
  return { apiVersion: 'networking.istio.io/v1', kind, metadata: { name: 'one', namespace }, spec };
}

const managed = (host: string): NativeObject[] => [
  object('ServiceEntry', 'istio-system', { hosts: [host] }),
  object('DestinationRule', 'istio-system', { host }),
  object('VirtualService', 'istio-system', { hosts: [host] }),
];
const unmanaged = (namespace: string, spec: object): KubeObject =>
  object('ServiceEntry', namespace, spec) as unknown as KubeObject;

const effects = (host: string, users: KubeObject) =>
  managed(host).map((one) => {
    const words = objectConflicts.lookupKeys(one);
    const found = objectConflicts.indexKeys(users).some((word) => words.includes(word));
    return found ? objectConflicts.detect(one, users, MESHES)?.effect : undefined;
  });

test('a service of the host prevents the generated one, with its connection settings and routes', () => {
  for (const hosts of [[HOST], ['other.example', HOST]])
    assert.equal(effects(HOST, unmanaged('team', { hosts })), ['notApplied', 'notApplied', 'notApplied']);
});

test('a service of another host does not, nor does one visible in its own namespace only', () => {
  assert.equal(effects(HOST, unmanaged('team', { hosts: ['other.example'] })), [undefined, undefined, undefined]);
  assert.equal(effects(HOST, unmanaged('team', { hosts: [HOST], exportTo: ['~'] })), [undefined, undefined, undefined]);
  assert.equal(effects(HOST, unmanaged('team', { hosts: [HOST], exportTo: ['.'] })), [
    'degraded',
    undefined,
    undefined,
  ]);
});

test('a service in the same namespace is merged with the generated one, and so are settings and routes', () => {
  assert.equal(effects(HOST, unmanaged('istio-system', { hosts: [HOST] })), ['degraded', undefined, undefined]);
});

test('settings and routes of a Service of the cluster apply whatever entries have its name', () => {
  const local = 'reviews.shop.svc.cluster.local';
  assert.equal(effects(local, unmanaged('team', { hosts: [local] })).slice(1), [undefined, undefined]);
});

test.run();
