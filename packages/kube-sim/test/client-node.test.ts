/** @kubernetes/client-node against the simulator: the calls that Meshrelay's programs use. */
import {
  ApiException,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  V1MicroTime,
  Watch,
} from '@kubernetes/client-node';
import { assert, eventually, test } from '@meshrelay/testing';
import { startKubeSim } from '../src/mod.ts';
import { WIDGET_CRD, WIDGET_GROUP, WIDGET_VERSION, widget } from './conformance/widget-crd.ts';

async function setUp() {
  const sim = await startKubeSim({ controllers: false, objects: [WIDGET_CRD as never] });
  const config = new KubeConfig();
  config.loadFromString(sim.kubeconfig);
  return { sim, config, [Symbol.asyncDispose]: () => sim[Symbol.asyncDispose]() };
}

const WIDGETS = { group: WIDGET_GROUP, version: 'v1', namespace: 'default', plural: 'widgets' };

async function codeOf(promise: Promise<unknown>): Promise<number | string> {
  try {
    await promise;
    return 'done';
  } catch (error) {
    return error instanceof ApiException ? error.code : String(error);
  }
}

test('typed objects are created, read, paged and deleted', async () => {
  await using cluster = await setUp();
  const core = cluster.config.makeApiClient(CoreV1Api);
  for (const name of ['a', 'b', 'c'])
    await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name }, data: { name } } });
  const page = await core.listNamespacedConfigMap({ namespace: 'default', limit: 2 });
  assert.equal(
    page.items.map((each) => each.metadata?.name),
    ['a', 'b'],
  );
  const rest = await core.listNamespacedConfigMap({
    namespace: 'default',
    limit: 2,
    _continue: page.metadata?._continue ?? '',
  });
  assert.equal(
    rest.items.map((each) => each.metadata?.name),
    ['c'],
  );
  assert.instance(page.items[0]?.metadata?.creationTimestamp, Date);
  await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'a' });
  assert.is(await codeOf(core.readNamespacedConfigMap({ namespace: 'default', name: 'a' })), 404);
});

test('custom objects are applied on the server', async () => {
  await using cluster = await setUp();
  const objects = KubernetesObjectApi.makeApiClient(cluster.config);
  const body = widget('a', { color: 'red' }, { namespace: 'default' }) as never;
  const apply = (object: never, manager: string) =>
    objects.patch(object, undefined, undefined, manager, false, PatchStrategy.ServerSideApply);
  await apply(body, 'one');
  const again = (await apply(body, 'one')) as { metadata?: { managedFields?: unknown[] } };
  assert.is(again.metadata?.managedFields?.length, 1);
  const other = widget('a', { color: 'blue' }, { namespace: 'default' }) as never;
  assert.is(await codeOf(apply(other, 'two')), 409);
  assert.is(
    await codeOf(objects.patch(body, undefined, undefined, 'three', undefined, PatchStrategy.StrategicMergePatch)),
    415,
  );
});

test('a status is replaced alone', async () => {
  await using cluster = await setUp();
  const custom = cluster.config.makeApiClient(CustomObjectsApi);
  const created = await custom.createNamespacedCustomObject({ ...WIDGETS, body: widget('a', { color: 'red' }) });
  const body = { ...created, spec: { color: 'blue' }, status: { phase: 'Up' } };
  const after = await custom.replaceNamespacedCustomObjectStatus({ ...WIDGETS, name: 'a', body });
  assert.is(after.spec.color, 'red');
  assert.equal(after.status, { phase: 'Up' });
});

test('a Lease is acquired by compare-and-swap', async () => {
  await using cluster = await setUp();
  const leases = cluster.config.makeApiClient(CoordinationV1Api);
  const renewTime = new V1MicroTime('2026-01-01T00:00:00.000Z');
  const body = { metadata: { name: 'l' }, spec: { holderIdentity: 'one', renewTime, leaseDurationSeconds: 15 } };
  const first = await leases.createNamespacedLease({ namespace: 'default', body });
  assert.is(await codeOf(leases.createNamespacedLease({ namespace: 'default', body })), 409);
  const taken = { ...first, spec: { ...first.spec, holderIdentity: 'two' } };
  await leases.replaceNamespacedLease({ namespace: 'default', name: 'l', body: taken });
  assert.is(await codeOf(leases.replaceNamespacedLease({ namespace: 'default', name: 'l', body: taken })), 409);
});

test('a watch delivers events, and the 410 of a compacted version', async () => {
  await using cluster = await setUp();
  const watch = new Watch(cluster.config);
  const path = `/apis/${WIDGET_VERSION}/widgets`;
  const seen: string[] = [];
  const controller = await watch.watch(
    path,
    {},
    (phase, object) => void seen.push(`${phase} ${object.metadata?.name}`),
    () => {},
  );
  cluster.sim.objects.create(widget('a', {}, { namespace: 'default' }) as never);
  await eventually('the widget is seen', () => seen.includes('ADDED a'), { seen: () => seen });
  controller.abort();
  const { promise, resolve } = Promise.withResolvers<number>();
  await watch.watch(
    path,
    { resourceVersion: '1' },
    (phase, object) => phase === 'ERROR' && resolve(object.code),
    () => {},
  );
  assert.is(await promise, 410);
});

test('an informer follows a collection', async () => {
  await using cluster = await setUp();
  const core = cluster.config.makeApiClient(CoreV1Api);
  const seen: string[] = [];
  const informer = makeInformer(cluster.config, '/api/v1/namespaces/default/configmaps', () =>
    core.listNamespacedConfigMap({ namespace: 'default' }),
  );
  for (const event of ['add', 'update', 'delete'] as const)
    informer.on(event, (object) => void seen.push(`${event} ${object.metadata?.name}`));
  informer.on('error', () => {});
  await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'a' } } });
  await informer.start();
  const body = await core.readNamespacedConfigMap({ namespace: 'default', name: 'a' });
  await core.replaceNamespacedConfigMap({ namespace: 'default', name: 'a', body: { ...body, data: { x: '1' } } });
  await core.deleteNamespacedConfigMap({ namespace: 'default', name: 'a' });
  await eventually('all three are seen', () => seen.length >= 3, { seen: () => seen });
  assert.equal(seen, ['add a', 'update a', 'delete a']);
  await informer.stop();
});

test.run();
