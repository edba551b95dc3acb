/** Planned faults, as clients see them: behaviour of the simulator in addition to that of a real API server. */
import { assert, eventually, suite } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import type { Fault, FaultMatch } from '../../src/faults/fault.ts';
import { type KubeObject, type KubeSim, startKubeSim } from '../../src/mod.ts';

const faults = suite('planned faults');
const MAPS = '/api/v1/namespaces/default/configmaps';
const LISTS: FaultMatch = { verbs: ['list'], resource: 'configmaps' };
let sim: KubeSim;
let client: Client;

function configMap(name: string, data?: object): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
    ...(data === undefined ? {} : { data }),
  } as KubeObject;
}

faults.before.each(async () => {
  sim = await startKubeSim({ controllers: false, tokens: { other: { name: 'other' } } });
  client = new Client(targetOf(sim.kubeconfig));
});

faults.after.each(async () => {
  client[Symbol.dispose]();
  await sim[Symbol.asyncDispose]();
});

/** Whether a request ends without a complete answer. */
async function isCut(path: string, method = 'GET', body?: unknown): Promise<boolean> {
  try {
    await client.send(method, path, body === undefined ? {} : { body });
    return false;
  } catch {
    return true;
  }
}

faults('an error is answered with its code, reason and Retry-After, until it is lifted', async () => {
  const planned = sim.faults.add({ match: LISTS, fault: { kind: 'error', code: 429, retryAfterSeconds: 7 } });
  const reply = await client.get(MAPS);
  assert.is(reply.status, 429);
  assert.is(reply.headers['retry-after'], '7');
  assert.equal([reply.body.reason, reply.body.details.retryAfterSeconds], ['TooManyRequests', 7]);
  assert.is((await client.get(`${MAPS}/kube-root-ca.crt`)).status, 404, 'a get is not struck');
  assert.is(planned.struck, 1);
  planned[Symbol.dispose]();
  assert.is((await client.get(MAPS)).status, 200);
});

faults('strike by user, resource, namespace, name, subresource and path', async () => {
  const strikes = async (match: FaultMatch, path: string, token?: string): Promise<boolean> => {
    using _ = sim.faults.add({ match, fault: { kind: 'error', code: 500 } });
    return (await client.get(path, token === undefined ? {} : { token })).status === 500;
  };
  assert.is(await strikes({ user: 'other' }, MAPS, 'other'), true);
  assert.is(await strikes({ user: 'other' }, MAPS), false);
  assert.is(await strikes({ namespace: 'default' }, MAPS), true);
  assert.is(await strikes({ namespace: 'default' }, '/api/v1/configmaps'), false);
  assert.is(await strikes({ group: 'apps', resource: 'deployments' }, '/apis/apps/v1/deployments'), true);
  assert.is(await strikes({ group: 'apps' }, MAPS), false);
  assert.is(await strikes({ name: 'a' }, `${MAPS}/a`), true);
  assert.is(await strikes({ name: 'a' }, `${MAPS}/ab`), false);
  assert.is(await strikes({ subresource: 'status' }, '/api/v1/namespaces/default/status'), true);
  assert.is(await strikes({ path: '/apis' }, '/apis'), true);
  assert.is(await strikes({ path: '/apis' }, '/api'), false);
});

faults('strike after some requests, and so often', async () => {
  sim.faults.add({ match: LISTS, fault: { kind: 'error', code: 503 }, after: 1, times: 2 });
  const codes: number[] = [];
  for (let request = 0; request < 5; request++) codes.push((await client.get(MAPS)).status);
  assert.equal(codes, [200, 503, 503, 200, 200]);
});

faults('a delay lets later faults strike', async () => {
  sim.faults.add({ match: LISTS, fault: { kind: 'delay', milliseconds: 30 } });
  sim.faults.add({ match: LISTS, fault: { kind: 'error', code: 500 } });
  const start = performance.now();
  assert.is((await client.get(MAPS)).status, 500);
  assert.ok(performance.now() - start >= 29);
});

faults('a connection is cut before anything is done, after it, or in the middle of the answer', async () => {
  const strike = (kind: 'reset' | 'lost-reply' | 'cut-reply', verbs: readonly string[]) =>
    sim.faults.add({ match: { verbs, resource: 'configmaps' }, fault: { kind }, times: 1 });
  const stored = (name: string): boolean =>
    sim.objects.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name }) !== undefined;
  strike('reset', ['create']);
  assert.ok(await isCut(MAPS, 'POST', configMap('never')));
  assert.not.ok(stored('never'));
  strike('lost-reply', ['create']);
  assert.ok(await isCut(MAPS, 'POST', configMap('unheard')));
  assert.ok(stored('unheard'));
  strike('cut-reply', ['list']);
  assert.ok(await isCut(MAPS));
  assert.is((await client.get(MAPS)).status, 200);
});

faults('a hanging request is never answered nor done, and others are', async () => {
  const hanging = sim.faults.add({ match: { verbs: ['create'] }, fault: { kind: 'hang' } });
  using impatient = new Client(targetOf(sim.kubeconfig));
  const answer = impatient.post(MAPS, configMap('late')).then(
    () => 'answered',
    () => 'cut by the client',
  );
  await eventually('the request to have come', () => hanging.struck === 1);
  assert.is((await client.get(`${MAPS}/late`)).status, 404);
  impatient[Symbol.dispose]();
  assert.is(await answer, 'cut by the client');
});

faults('a held request is done when the fault is lifted, though its client has left', async () => {
  const held = sim.faults.add({ match: { verbs: ['create'] }, fault: { kind: 'held' } });
  using impatient = new Client(targetOf(sim.kubeconfig));
  const answer = impatient.post(MAPS, configMap('late')).catch(() => undefined);
  await eventually('the request to have come', () => held.struck === 1);
  impatient[Symbol.dispose]();
  await answer;
  assert.is((await client.get(`${MAPS}/late`)).status, 404);
  held[Symbol.dispose]();
  await eventually('it to be done', async () => (await client.get(`${MAPS}/late`)).status === 200);
});

faults('a pretended write is answered and not done', async () => {
  sim.objects.create(configMap('a', { x: 'old' }));
  sim.faults.add({ match: { verbs: ['update'] }, fault: { kind: 'pretended' } });
  const reply = await client.put(`${MAPS}/a`, configMap('a', { x: 'new' }));
  assert.equal([reply.status, reply.body.data], [200, { x: 'new' }]);
  assert.equal((await client.get(`${MAPS}/a`)).body.data, { x: 'old' });
});

faults('lists are empty, watches and gets are not', async () => {
  sim.objects.create(configMap('a'));
  sim.faults.add({ match: { resource: 'configmaps' }, fault: { kind: 'empty-list' } });
  const list = await client.get(MAPS);
  assert.equal([list.status, list.body.items], [200, []]);
  assert.is((await client.get(`${MAPS}/a`)).status, 200);
  using watch = await client.watch(`${MAPS}?resourceVersion=${list.body.metadata.resourceVersion}`);
  sim.objects.create(configMap('b'));
  assert.is((await watch.next())?.object.metadata.name, 'b');
});

faults('a continue token expires in the middle of a list', async () => {
  for (const name of ['a', 'b', 'c']) sim.objects.create(configMap(name));
  const page = await client.get(`${MAPS}?limit=1`);
  sim.faults.add({ match: LISTS, fault: { kind: 'expired-continue' } });
  const next = await client.get(`${MAPS}?limit=1&continue=${page.body.metadata.continue}`);
  assert.equal([next.status, next.body.reason], [410, 'Expired']);
  assert.is((await client.get(`${MAPS}?limit=1`)).status, 200, 'first pages are not struck');
});

faults('a stale server shows what there was, and its watches continue when it has caught up', async () => {
  sim.objects.create(configMap('a', { x: 'old' }));
  const planned = sim.faults.add({ match: { verbs: ['get', 'list', 'watch'] }, fault: { kind: 'stale' } });
  sim.objects.update(configMap('a', { x: 'new' }));
  sim.objects.create(configMap('b'));
  const list = await client.get(MAPS);
  assert.equal(
    list.body.items.map((item: KubeObject) => [item.metadata.name, item['data']]),
    [['a', { x: 'old' }]],
  );
  assert.is((await client.get(`${MAPS}/b`)).status, 404);
  const { resourceVersion } = list.body.metadata;
  const ahead = await client.get(
    `${MAPS}?resourceVersion=${sim.objects.list(configMap(''))[1]?.metadata.resourceVersion}`,
  );
  assert.is(ahead.status, 504, 'a revision it has not seen yet');
  using watch = await client.watch(`${MAPS}?resourceVersion=${resourceVersion}`);
  sim.objects.create(configMap('c'));
  planned[Symbol.dispose]();
  const seen = [await watch.next(), await watch.next(), await watch.next()];
  assert.equal(
    seen.map((event) => `${event?.type} ${event?.object.metadata.name}`),
    ['MODIFIED a', 'ADDED b', 'ADDED c'],
  );
  assert.is((await client.get(`${MAPS}/b`)).status, 200);
});

/** Events of a watch that ran before the fault and of one that began after it. */
async function watched(kind: Fault['kind']) {
  using before = await client.watch(MAPS);
  const planned = sim.faults.add({ match: { resource: 'configmaps' }, fault: { kind } as Fault });
  const after = await client.watch(MAPS).catch(() => undefined);
  sim.objects.create(configMap('a'));
  const ends = kind !== 'silent-watch';
  const reported = ends ? [await before.next(), await after?.next()] : [];
  assert.is(planned.struck, 2);
  after?.[Symbol.dispose]();
  return reported;
}

faults('watches are cut off', async () => {
  assert.equal(await watched('dropped-watch'), [undefined, undefined]);
});

faults('watches end with 410', async () => {
  for (const event of await watched('expired-watch')) {
    assert.equal([event?.type, (event?.object as { code?: number } | undefined)?.code], ['ERROR', 410]);
  }
});

faults('watches fall silent for good; those that begin afterwards speak', async () => {
  using silent = await client.watch(MAPS);
  const planned = sim.faults.add({ match: { verbs: ['watch'] }, fault: { kind: 'silent-watch' } });
  sim.objects.create(configMap('unsaid'));
  planned[Symbol.dispose]();
  using speaking = await client.watch(MAPS);
  assert.is((await speaking.next())?.object.metadata.name, 'unsaid');
  sim.objects.create(configMap('said'));
  // An event of the silent watch would arrive first, since it began first.
  const first = await Promise.race([
    silent.next().then((event) => `the silent one saw ${event?.object.metadata.name}`),
    speaking.next().then((event) => `the other saw ${event?.object.metadata.name}`),
  ]);
  assert.is(first, 'the other saw said');
});

faults('all faults are lifted at once', async () => {
  sim.faults.add({ match: LISTS, fault: { kind: 'error', code: 500 } });
  sim.faults.add({ match: {}, fault: { kind: 'delay', milliseconds: 1 } });
  assert.is(sim.faults.list().length, 2);
  sim.faults.clear();
  assert.is(sim.faults.list().length, 0);
  assert.is((await client.get(MAPS)).status, 200);
});

faults.run();
