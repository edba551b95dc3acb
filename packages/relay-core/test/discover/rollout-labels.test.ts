/**
 * Labels of rollouts and of single pods: subsets may use them, workloads do not list them, and ten thousand pods take
 * one entry.
 */
import type { Destination, KubeObject, Workload } from '@meshrelay/api';
import { type CapabilityTable, defineMeshPlugin, VIEW_FIELDS } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { agentObjects, loadPlugins } from '../../src/mod.ts';

const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX = 'apps.kubernetes.io/pod-index';
const REVISION = 'controller-revision-hash';

const plugin = defineMeshPlugin<unknown>({
  name: 'none',
  contract: 1,
  watches: [],
  writes: [],
  capabilities: Object.fromEntries(VIEW_FIELDS.map((field) => [field, 'native'])) as CapabilityTable,
  discover: () => undefined,
});

const object = (apiVersion: string, kind: string, name: string, more: object, metadata: object = {}): KubeObject =>
  ({ apiVersion, kind, metadata: { name, namespace: 'shop', ...metadata }, ...more }) as unknown as KubeObject;

const SERVICE = object('v1', 'Service', 'web', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } });

function statefulSet(replicas: number, start?: number): KubeObject {
  const ordinals = start === undefined ? {} : { ordinals: { start } };
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [] } };
  return object('apps/v1', 'StatefulSet', 'web', { spec: { replicas, ...ordinals, template } });
}

function pod(name: string, labels: Readonly<Record<string, string>>, kind = 'StatefulSet'): KubeObject {
  const ownerReferences = [{ apiVersion: 'apps/v1', kind, name: 'web', controller: true }];
  return object(
    'v1',
    'Pod',
    name,
    { spec: { containers: [] } },
    { labels: { app: 'web', ...labels }, ownerReferences },
  );
}

const numbered = (ordinal: number, revision = 'web-6b7'): KubeObject =>
  pod(`web-${ordinal}`, { [POD_NAME]: `web-${ordinal}`, [POD_INDEX]: String(ordinal), [REVISION]: revision });

function discover(objects: readonly KubeObject[]) {
  const found = agentObjects({ name: 'c1', objects: [SERVICE, ...objects] }, loadPlugins([{ module: 'none', plugin }]));
  const destination = found.find(({ kind }) => kind === 'Destination') as Destination | undefined;
  assert.ok(destination);
  return { destination, workloads: found.filter(({ kind }) => kind === 'Workload') as Workload[] };
}

test('pods of a StatefulSet are one workload, and the Service lists the values of their labels as ranges', () => {
  const { destination, workloads } = discover([statefulSet(3), ...[0, 1, 2].map((ordinal) => numbered(ordinal))]);
  assert.equal(
    workloads.map(({ spec }) => spec.kubernetes.podLabels),
    [{ app: 'web' }],
  );
  assert.equal(destination.spec.kubeService.subsets, {
    [POD_INDEX]: { values: [], ranges: [{ prefix: '', from: 0, to: 2 }] },
    [REVISION]: { values: ['web-6b7'] },
    [POD_NAME]: { values: [], ranges: [{ prefix: 'web-', from: 0, to: 2 }] },
  });
});

test('the value of a pod that is being replaced stays, because the StatefulSet counts it', () => {
  const subsets = (objects: readonly KubeObject[]) => discover(objects).destination.spec.kubeService.subsets;
  const whole = subsets([statefulSet(3, 5), numbered(5), numbered(6), numbered(7)]);
  assert.equal(subsets([statefulSet(3, 5), numbered(5), numbered(7)]), whole);
  assert.equal(whole?.[POD_NAME]?.ranges, [{ prefix: 'web-', from: 5, to: 7 }]);
});

test('pods beyond the replicas of their StatefulSet, and pods of other controllers, count by their labels', () => {
  const scaledDown = discover([statefulSet(1), numbered(0), numbered(1), numbered(4)]);
  assert.equal(scaledDown.destination.spec.kubeService.subsets?.[POD_NAME]?.ranges, [
    { prefix: 'web-', from: 0, to: 1 },
    { prefix: 'web-', from: 4, to: 4 },
  ]);
  const others = [
    pod('a', { [POD_NAME]: 'kafka-007' }, 'StrimziPodSet'),
    pod('b', { [POD_NAME]: 'solo' }, 'StrimziPodSet'),
  ];
  assert.equal(discover(others).destination.spec.kubeService.subsets?.[POD_NAME], {
    values: ['solo'],
    ranges: [{ prefix: 'kafka-00', from: 7, to: 7 }],
  });
});

test('during a rollout both hashes are listed', () => {
  const { destination } = discover([
    pod('a', { 'pod-template-hash': 'old' }, 'ReplicaSet'),
    pod('b', { 'pod-template-hash': 'new' }, 'ReplicaSet'),
  ]);
  assert.equal(destination.spec.kubeService.subsets, { 'pod-template-hash': { values: ['new', 'old'] } });
});

test('subsets for ten thousand pods of a StatefulSet take as many bytes as for ten', () => {
  const bytes = (count: number) => {
    const pods = Array.from({ length: count }, (_, ordinal) => numbered(ordinal));
    return JSON.stringify(discover([statefulSet(count), ...pods]).destination.spec.kubeService.subsets).length;
  };
  // Each of the two labels has three more digits.
  assert.is(bytes(10_000), bytes(10) + 6);
});

test.run();
