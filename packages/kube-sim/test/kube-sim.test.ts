/** Behaviour of the simulator beyond the API server of the conformance suite. */
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { parse } from 'yaml';
import { type KubeObject, type KubeSim, startKubeSim } from '../src/mod.ts';
import { crd } from './conformance/widget-crd.ts';
import { ManualClock } from './manual-clock.ts';

function configMap(name: string, more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ...more } };
}

function found(sim: KubeSim, name: string): KubeObject | undefined {
  return sim.objects.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name });
}

test('deletion of a namespace ends, with all its content', async () => {
  await using sim = await startKubeSim({ controllers: false });
  sim.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  sim.objects.create({ ...configMap('a'), metadata: { name: 'a', namespace: 'shop' } });
  sim.objects.create({ ...configMap('held'), metadata: { name: 'held', namespace: 'shop', finalizers: ['x.y/z'] } });
  sim.objects.delete({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' });
  await Promise.resolve();
  const left = (): string[] =>
    sim.objects.list({ apiVersion: 'v1', kind: 'ConfigMap' }, 'shop').map(({ metadata }) => metadata.name);
  const namespace = (): KubeObject | undefined =>
    sim.objects.get({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' });
  assert.equal(left(), ['held']);
  assert.is(namespace()?.['status'].phase, 'Terminating');
  const held = sim.objects.list({ apiVersion: 'v1', kind: 'ConfigMap' }, 'shop')[0] as KubeObject;
  sim.objects.update({ ...held, metadata: { ...held.metadata, finalizers: [] } });
  await eventually('the namespace is gone', () => namespace() === undefined);
  assert.equal(left(), []);
});

test('objects without owners are collected; those with a remaining owner stay', async () => {
  await using sim = await startKubeSim({ controllers: false });
  const owner = (name: string) => {
    const { uid = '' } = sim.objects.create(configMap(name)).metadata;
    return { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
  };
  const [one, two] = [owner('one'), owner('two')];
  sim.objects.create(configMap('of-one', { ownerReferences: [one] }));
  sim.objects.create(configMap('of-both', { ownerReferences: [one, two] }));
  sim.objects.create(configMap('of-a-deleted-owner', { ownerReferences: [{ ...one, uid: 'gone-before' }] }));
  sim.objects.delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'one' });
  await eventually('of-one is collected', () => found(sim, 'of-one') === undefined);
  await eventually('of-a-deleted-owner is collected', () => found(sim, 'of-a-deleted-owner') === undefined);
  assert.ok(found(sim, 'of-both'));
  sim.objects.delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'two' });
  await eventually('of-both is collected', () => found(sim, 'of-both') === undefined);
});

test('foreground deletion deletes dependents first, orphaning keeps them', async () => {
  await using sim = await startKubeSim({ controllers: false });
  using client = new Client(targetOf(sim.kubeconfig));
  const path = '/api/v1/namespaces/default/configmaps';
  const { uid = '' } = sim.objects.create(configMap('first')).metadata;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'first', uid, blockOwnerDeletion: true };
  sim.objects.create(configMap('dependent', { ownerReferences: [reference], finalizers: ['x.y/z'] }));
  await client.delete(`${path}/first`, { propagationPolicy: 'Foreground' });
  await eventually('the dependent is being deleted', () => found(sim, 'dependent')?.metadata.deletionTimestamp);
  assert.equal(found(sim, 'first')?.metadata.finalizers, ['foregroundDeletion']);
  await client.patch(`${path}/dependent`, 'merge', { metadata: { finalizers: null } });
  await eventually('the owner is gone', () => found(sim, 'first') === undefined);

  const second = sim.objects.create(configMap('second')).metadata.uid ?? '';
  sim.objects.create(configMap('orphan', { ownerReferences: [{ ...reference, name: 'second', uid: second }] }));
  await client.delete(`${path}/second`, { propagationPolicy: 'Orphan' });
  await eventually('the owner is gone', () => found(sim, 'second') === undefined);
  assert.is(found(sim, 'orphan')?.metadata.ownerReferences, undefined);
});

test('after compaction old pages and watches answer 410, and a page can continue inconsistently', async () => {
  await using sim = await startKubeSim({ controllers: false });
  using client = new Client(targetOf(sim.kubeconfig));
  const path = '/api/v1/namespaces/default/configmaps';
  for (const name of ['a', 'b', 'c']) sim.objects.create(configMap(name));
  const first = (await client.get(`${path}?limit=1`)).body;
  sim.objects.create(configMap('bb'));
  sim.compact();
  const expired = await client.get(`${path}?limit=1&continue=${first.metadata.continue}`);
  assert.is(expired.status, 410);
  assert.is(expired.body.reason, 'Expired');
  const rest = (await client.get(`${path}?continue=${expired.body.metadata.continue}`)).body.items;
  assert.equal(
    rest.map((each: KubeObject) => each.metadata.name),
    ['b', 'bb', 'c'],
  );
  const exact = await client.get(
    `${path}?resourceVersion=${first.metadata.resourceVersion}&resourceVersionMatch=Exact`,
  );
  assert.is(exact.body.message, 'The resourceVersion for the provided list is too old.');
  using watch = await client.watch(`${path}?resourceVersion=${first.metadata.resourceVersion}`);
  assert.is((await watch.next())?.object.code, 410);
});

test('bookmarks come each minute and shortly before the end, by the injected clock', async () => {
  const clock = new ManualClock();
  await using sim = await startKubeSim({ controllers: false, clock });
  using client = new Client(targetOf(sim.kubeconfig));
  using watch = await client.watch('/api/v1/namespaces/default/configmaps?allowWatchBookmarks=true&timeoutSeconds=78');
  clock.advance(60_000);
  sim.objects.create(configMap('a'));
  clock.advance(16_000);
  clock.advance(2_000);
  const seen: string[] = [];
  for (let event = await watch.next(); event !== undefined; event = await watch.next()) seen.push(event.type);
  assert.equal(seen, ['BOOKMARK', 'ADDED', 'BOOKMARK']);
});

test('the user of a client certificate is its common name', async () => {
  await using sim = await startKubeSim({ controllers: false });
  const { certificate, key } = sim.clientCertificate({ commonName: 'ann', organizations: ['dev'] });
  const agent = new Agent({ ca: sim.ca, cert: certificate, key });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const post = request(`${sim.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  post.on('error', reject);
  post.on('response', async (response) => {
    const chunks = await response.toArray();
    resolve(chunks.join(''));
  });
  post.end(JSON.stringify(review));
  const { userInfo } = JSON.parse(await promise).status;
  agent.destroy();
  assert.equal(userInfo, { username: 'ann', groups: ['dev', 'system:authenticated'] });
});

test('manifests are stored CRDs first, with their namespaces and statuses', async () => {
  using folder = temporaryFolder();
  const instance = {
    apiVersion: 'm.example.dev/v1',
    kind: 'One',
    metadata: { name: 'x', namespace: 'made' },
    spec: { a: '1' },
  };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', namespace: 'made' },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } },
  };
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } };
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    items: [instance, service, crd('m.example.dev', 'ones', 'One', schema)],
  };
  writeFileSync(join(folder.path, 'all.json'), JSON.stringify(list));
  await using sim = await startKubeSim({ controllers: false, manifests: [folder.path] });
  assert.equal(sim.objects.list({ apiVersion: 'm.example.dev/v1', kind: 'One' })[0]?.['spec'], { a: '1' });
  const stored = sim.objects.get({ apiVersion: 'v1', kind: 'Service', namespace: 'made', name: 's' });
  assert.equal(stored?.['status'].loadBalancer.ingress, [{ ip: '192.0.2.7' }]);
});

test('a manifest that cannot be stored is named', async () => {
  try {
    await startKubeSim({
      controllers: false,
      objects: [{ apiVersion: 'no.such/v1', kind: 'Nope', metadata: { name: 'x' } }],
    });
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, 'objects: Nope x: no matches for kind "Nope" in version "no.such/v1"');
  }
});

test('a Deployment becomes ready pods of its Service', async () => {
  await using sim = await startKubeSim();
  const labels = { app: 'web' };
  const container = { name: 'c', image: 'nginx:1', ports: [{ containerPort: 80 }] };
  sim.objects.create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
  sim.objects.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { selector: labels, ports: [{ port: 80 }] },
  });
  await sim.settled();
  const deployment = sim.objects.get({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' });
  assert.is(deployment?.['status'].readyReplicas, 2);
  const slices = sim.objects.list({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' }, 'default');
  assert.is(slices.flatMap((slice) => slice['endpoints'] ?? []).length, 2);
  sim.objects.delete({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' });
  await eventually('its pods are gone', () => sim.objects.list({ apiVersion: 'v1', kind: 'Pod' }).length === 0);
});

test('the kubeconfig names the cluster and is complete', async () => {
  await using sim = await startKubeSim({ name: 'cluster-1', controllers: false });
  const config = parse(sim.kubeconfig);
  assert.is(config['current-context'], 'cluster-1');
  assert.is(config.clusters[0].cluster.server, sim.url);
});

test.run();
