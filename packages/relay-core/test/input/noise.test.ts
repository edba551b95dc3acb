/** Fields that change without meaning are removed before any comparison. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { canonicalJson, withoutNoise } from '../../src/mod.ts';

const object = (kind: string, metadata: object, more: object = {}) =>
  ({ apiVersion: 'v1', kind, metadata: { name: 'a', ...metadata }, ...more }) as unknown as KubeObject;

test('bookkeeping of the API server is removed; labels, uid and meaningful annotations stay', () => {
  const noisy = object('Pod', {
    uid: 'u',
    labels: { a: 'b' },
    resourceVersion: '7',
    selfLink: '/x',
    managedFields: [{}],
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', retained: 'yes' },
  });
  assert.equal(withoutNoise(noisy), object('Pod', { uid: 'u', labels: { a: 'b' }, annotations: { retained: 'yes' } }));
  assert.equal(
    withoutNoise(object('Pod', { annotations: { 'deployment.kubernetes.io/revision': '2' } })),
    object('Pod', {}),
  );
});

for (const [kind, status, retained] of [
  [
    'Pod',
    { phase: 'Running', podIP: '10.0.0.1', conditions: [{ lastProbeTime: 'now' }] },
    { phase: 'Running', podIP: '10.0.0.1' },
  ],
  [
    'Node',
    {
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      images: [{}],
      conditions: [{ lastHeartbeatTime: 'now' }],
    },
    { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] },
  ],
  [
    'Node',
    {
      conditions: [
        { type: 'DiskPressure', status: 'False' },
        { type: 'Ready', status: 'True', lastHeartbeatTime: 'now', reason: 'KubeletReady' },
      ],
    },
    { conditions: [{ type: 'Ready', status: 'True' }] },
  ],
  [
    'Service',
    { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] }, conditions: [] },
    { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } },
  ],
  ['Deployment', { replicas: 1 }, undefined],
] as const) {
  const reported = Object.keys(status).join(', ');
  test(`of the status of a ${kind} with ${reported}, the fields that discovery reads stay`, () => {
    const { status: left } = withoutNoise(object(kind, {}, { status })) as KubeObject & { status?: unknown };
    assert.equal(left === undefined ? undefined : JSON.parse(JSON.stringify(left)), retained);
  });
}

test('the given object is not changed', () => {
  const noisy = object('Pod', { resourceVersion: '7' });
  withoutNoise(noisy);
  assert.is(noisy.metadata.resourceVersion, '7');
});

test('an object nested too deeply is rejected; any other can be serialized', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'deep' : { spec: [nested(levels - 1)] });
  assert.throws(
    () => withoutNoise(object('Pod', {}, { spec: nested(5000) })),
    /Pod a: nested more than 64 levels deep/,
  );
  assert.throws(() => withoutNoise(object('Pod', {}, { spec: nested(32) })), RangeError);
  assert.ok(canonicalJson(withoutNoise(object('Pod', {}, { spec: nested(31) }))).includes('deep'));
});

test.run();
