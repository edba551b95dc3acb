/** What the server receives about a small Istio installation, from its first objects to its removal. */

import type { KubeObject } from '@meshrelay/api';
import { parseManifests } from '@meshrelay/kube-sim';
import istio from '@meshrelay/plugin-istio';
import type { MeshPlugin } from '@meshrelay/relay-core';
import { countPushedKinds, ISTIO, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { metric, register, startReplica } from './harness/agents.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();

const MESH = `
apiVersion: v1
kind: ConfigMap
metadata: { name: istio, namespace: istio-system }
data: { mesh: "trustDomain: shop.example" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: istiod, namespace: istio-system, labels: { app: istiod } }
spec:
  selector: { matchLabels: { app: istiod } }
  template:
    metadata: { labels: { app: istiod } }
    spec:
      containers: [{ name: discovery, image: "docker.io/istio/pilot:1.28.0" }]
---
apiVersion: v1
kind: Service
metadata: { name: reviews, namespace: shop }
spec: { selector: { app: reviews }, ports: [{ name: http, port: 9080 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: reviews, namespace: shop, labels: { app: reviews } }
spec:
  selector: { matchLabels: { app: reviews } }
  template:
    metadata: { labels: { app: reviews } }
    spec:
      containers: [{ name: reviews, image: "reviews:1" }, { name: istio-proxy, image: "docker.io/istio/proxyv2:1.28.0" }]
`;
const objects = parseManifests(MESH, 'mesh').map(({ object }) => object);
const policy = {
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'TrafficPolicy',
  metadata: { name: 'patient', namespace: 'shop' },
  spec: { policy: { requestTimeout: '5s' } },
};
const users = { apiVersion: ISTIO, kind: 'VirtualService', metadata: { name: 'users', namespace: 'shop' }, spec: {} };

test('meshes, workloads, destinations, policies and the objects of written kinds are sent, each kind when it is synced', async () => {
  await using cluster = await TestCluster.start({ controllers: true, objects: [...objects, policy, users] });
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay, { plugins: [istio] });
  const sent = (kind: string): KubeObject[] => [...relay.inputs.values()].filter((object) => object.kind === kind);
  const named = (kind: string, name: string) => sent(kind).find(({ metadata }) => metadata.name === name);
  await eventually('everything is synced', () => relay.synced.size === countPushedKinds(istio), {
    seen: () => [...relay.synced],
  });
  await eventually('the mesh', () => named('Mesh', 'istiod'), { seen: () => agent.log.lines.slice(-5) });
  const { trustDomain } = (named('Mesh', 'istiod')?.spec ?? {}) as { trustDomain?: string };
  assert.is(trustDomain, 'shop.example');
  await eventually(
    'the workload in the mesh',
    () => (named('Workload', 'reviews-deployment')?.spec as { mesh?: object })?.mesh,
  );
  await eventually('the destination', () => named('Destination', 'reviews'));
  assert.ok(named('TrafficPolicy', 'patient'));
  assert.ok(named('VirtualService', 'users'));
  assert.equal(Object.keys(named('Namespace', 'shop') ?? {}).sort(), ['apiVersion', 'kind', 'metadata', 'spec']);
  for (const { metadata } of relay.inputs.values()) {
    assert.is(metadata.managedFields, undefined);
    assert.is(metadata.resourceVersion, undefined);
  }
  assert.is(await metric(agent, 'discovery_quarantined'), 0);

  cluster.delete('Service', 'reviews', 'shop', 'v1');
  cluster.delete('TrafficPolicy', 'patient', 'shop', policy.apiVersion);
  cluster.delete('VirtualService', 'users');
  await eventually('deletions are sent', () =>
    ['Destination', 'TrafficPolicy', 'VirtualService'].every(
      (kind) =>
        named(kind, 'reviews') === undefined &&
        named(kind, 'users') === undefined &&
        named(kind, 'patient') === undefined,
    ),
  );
  assert.ok(named('Workload', 'reviews-deployment'), 'the rest stays');
});

test('a watch that restarts sends only differences', async () => {
  await using cluster = await TestCluster.start({ objects: [users] });
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using _agent = await startReplica(cluster, relay, { plugins: [istio] });
  await eventually('synced', () => relay.synced.size === countPushedKinds(istio));
  const before = relay.batches.length;
  cluster.sim.compact();
  cluster.sim.objects.create({ ...users, metadata: { ...users.metadata, name: 'later' } });
  await eventually('the new one', () => [...relay.inputs.keys()].some((id) => id.endsWith('/later')));
  assert.ok([...relay.inputs.keys()].some((id) => id.endsWith('/users')));
  const entries = relay.batches.slice(before).flatMap(({ upserts, deletes }) => [...upserts, ...deletes]);
  assert.equal(
    entries.map(({ name }) => name),
    ['later'],
  );
});

test('a leader that the server calls outdated raises its term until it is the newest', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  relay.last = { term: 3, seq: 7 };
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay, { plugins: [istio] });
  await eventually('synced', () => relay.synced.size === countPushedKinds(istio), {
    seen: () => agent.log.lines.slice(-5),
  });
  assert.ok((agent.term ?? 0) >= 3);
});

test('a plugin whose discovery throws is named to the server, and the other plugin discovers', async () => {
  const broken: MeshPlugin = {
    ...istio,
    name: 'kuma',
    patches: [],
    discover: () => {
      throw new Error('boom in discover');
    },
  };
  await using cluster = await TestCluster.start({ controllers: true, objects });
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay, { plugins: [broken, istio] });
  await eventually(
    'the mesh of the other plugin is sent',
    () => [...relay.inputs.values()].some(({ kind }) => kind === 'Mesh'),
    { deadline: 60_000, seen: () => agent.log.lines.slice(-5) },
  );
  assert.equal(
    [...new Set(relay.sessions.map(({ hello }) => hello.failedPlugins?.join()))],
    ['kuma: boom in discover'],
  );
  assert.is(agent.log.of('election failed').length, 0);
  assert.is(await metric(agent, 'discovery_failed_plugins'), 1);
});

test.run();
