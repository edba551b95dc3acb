/** Maps addresses to workloads by the API server's pods, through all their changes. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { PodDirectory } from '../../../src/data-plane/attribution/pod-directory.ts';
import { seenPod } from '../../../src/data-plane/attribution/seen-pod.ts';

interface Reported {
  readonly name: string;
  readonly ip?: string;
  readonly ips?: readonly string[];
  readonly phase?: string;
  readonly hostNetwork?: boolean;
  readonly created?: string;
  readonly owner?: { readonly kind: string; readonly name: string };
  readonly hash?: string;
}

function pod({
  name,
  ip,
  ips = [],
  phase = 'Running',
  hostNetwork,
  created = '2026-01-01T00:00:00Z',
  owner,
  hash,
}: Reported) {
  return seenPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      creationTimestamp: created,
      labels: hash === undefined ? {} : { 'pod-template-hash': hash },
      ...(owner && { ownerReferences: [{ apiVersion: 'apps/v1', uid: 'u', controller: true, ...owner }] }),
      annotations: { large: 'x'.repeat(1000) },
    },
    spec: { hostNetwork, containers: [{ name: 'c', image: 'c' }] },
    status: { phase, podIP: ip, podIPs: ips.map((one) => ({ ip: one })) },
  } as unknown as KubeObject);
}

const named = (directory: PodDirectory, address: string) => directory.workloadAt(address)?.name;

test('the workload is the owner of the pod, whatever is between them', () => {
  const directory = new PodDirectory('cluster-1');
  directory.upsert(
    pod({ name: 'a-6d4b-x', ip: '10.0.0.1', owner: { kind: 'ReplicaSet', name: 'a-6d4b' }, hash: '6d4b' }),
  );
  directory.upsert(pod({ name: 'b-0', ip: '10.0.0.2', owner: { kind: 'StatefulSet', name: 'b' } }));
  directory.upsert(pod({ name: 'c', ip: '10.0.0.3' }));
  directory.upsert(pod({ name: 'd-x', ip: '10.0.0.4', owner: { kind: 'ReplicaSet', name: 'd-set' } }));
  assert.equal(
    [1, 2, 3, 4].map((end) => named(directory, `10.0.0.${end}`)),
    ['a', 'b', 'c', 'd-set'],
  );
  assert.equal(directory.workloadAt('10.0.0.1'), { name: 'a', namespace: 'shop', cluster: 'cluster-1' });
  assert.is(directory.workloadAt('10.0.0.9'), undefined);
});

test('a pod owns both address families, but not those of its node, and none once it has terminated', () => {
  const directory = new PodDirectory('cluster-1');
  directory.upsert(pod({ name: 'a', ip: '10.0.0.1', ips: ['10.0.0.1', 'fd00::1'] }));
  directory.upsert(pod({ name: 'node-agent', ip: '192.168.0.1', hostNetwork: true }));
  directory.upsert(pod({ name: 'job', ip: '10.0.0.2', phase: 'Succeeded' }));
  assert.is(named(directory, 'fd00::1'), 'a');
  assert.is(named(directory, '192.168.0.1'), undefined);
  assert.is(named(directory, '10.0.0.2'), undefined);
  assert.is(directory.size, 2);
});

test('a reused address belongs to the new pod, in whatever order the watch reports it', () => {
  const old = pod({ name: 'old', ip: '10.0.0.1' });
  const young = pod({ name: 'young', ip: '10.0.0.1', created: '2026-01-02T00:00:00Z' });
  for (const order of [
    [old, young],
    [young, old],
  ]) {
    const directory = new PodDirectory('cluster-1');
    for (const one of order) directory.upsert(one);
    assert.is(named(directory, '10.0.0.1'), 'young');
    directory.remove({ namespace: 'shop', name: 'old' });
    assert.is(named(directory, '10.0.0.1'), 'young');
    directory.remove({ namespace: 'shop', name: 'young' });
    assert.is(directory.size, 0);
  }
});

test('a list is complete; an address of a missing pod has no workload any more', () => {
  const directory = new PodDirectory('cluster-1');
  directory.replaceAll([pod({ name: 'a', ip: '10.0.0.1' }), pod({ name: 'b', ip: '10.0.0.2' })]);
  directory.upsert(pod({ name: 'a', ip: '10.0.0.3' }));
  assert.equal([named(directory, '10.0.0.1'), named(directory, '10.0.0.3')], [undefined, 'a']);
  directory.replaceAll([pod({ name: 'b', ip: '10.0.0.2' })]);
  assert.equal([named(directory, '10.0.0.3'), named(directory, '10.0.0.2')], [undefined, 'b']);
});

test('nothing else of a pod is stored', () => {
  assert.ok(JSON.stringify(pod({ name: 'a', ip: '10.0.0.1' })).length < 300);
});

test.run();
