/** A sink stays in sync with a kind: through restarts, expiry, missing permissions, and changes of CRDs. */
import type { ResourceKind } from '@meshrelay/relay-core';
import { assert, ManualClock, scaledRuns, settle, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { connect, type KindState, type KindWatch, type WatchOptions, watchKind } from '../src/mod.ts';
import { FakeCollection, forbidden, notFound, unavailable } from './fake-collection.ts';
import { RecordingSink } from './recording-sink.ts';

const widgets: ResourceKind = { group: 'ex.io', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
const nowhere = connect({
  text: JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { token: 't' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  }),
});

interface Fixture extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly api: FakeCollection;
  readonly sink: RecordingSink;
  readonly watch: KindWatch;
  readonly states: KindState[];
}

function fixture(api: FakeCollection = new FakeCollection(), options: WatchOptions = {}): Fixture {
  const clock = new ManualClock();
  const sink = new RecordingSink();
  const states: KindState[] = [];
  const watch = watchKind(nowhere, widgets, sink, {
    ...api.options,
    clock,
    random: () => 0.5,
    ...options,
    observer: { ...options.observer, state: (state) => states.push(state) },
  });
  return { clock, api, sink, watch, states, [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose]() };
}

const same = ({ sink, api }: Fixture): void => {
  assert.equal([...sink.objects.keys()].sort(), [...api.objects.keys()].sort());
  for (const [id, object] of sink.objects) {
    assert.is(object.metadata.resourceVersion, api.objects.get(id)?.metadata.resourceVersion, id);
    assert.is(object.metadata.uid, api.objects.get(id)?.metadata.uid, id);
  }
};

test('the first list is one replaceAll and synced; changes follow, one transaction per tick', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  api.put('b', 1);
  await using run = fixture(api);
  assert.not(run.watch.complete);
  await run.watch.synced;
  assert.ok(run.watch.complete);
  assert.equal(run.watch.state, { phase: 'watching' });
  assert.equal(run.sink.ticks, [['all a b', 'synced']]);
  await settle();
  api.put('c', 1);
  api.put('c', 2);
  api.delete('a');
  api.put('b', 2);
  await settle();
  assert.equal(run.sink.ticks.slice(1), [['upsert c', 'remove a', 'upsert b']]);
  assert.is(run.sink.objects.get('default/c')?.spec, 2);
  assert.is(run.watch.size, 2);
});

test('managedFields are dropped by default; a transform decides instead', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  await using plain = fixture(api);
  await plain.watch.synced;
  assert.not('managedFields' in (plain.sink.objects.get('default/a')?.metadata ?? {}));
  await using changed = fixture(api, { transform: (object) => ({ ...object, spec: 'changed' }) });
  await changed.watch.synced;
  assert.is(changed.sink.objects.get('default/a')?.spec, 'changed');
});

test('a recreated object is removed, then upserted, even if it happened between two lists', async () => {
  await using run = fixture();
  run.api.put('a', 1);
  await run.watch.synced;
  await settle();
  run.api.delete('a');
  run.api.put('a', 2);
  await settle();
  assert.equal(run.sink.ticks.at(-1), ['remove a', 'upsert a']);
  run.api.cut(new Error('ECONNRESET'));
  await settle();
  run.api.delete('a');
  run.api.put('a', 3);
  run.api.compact();
  await run.clock.pass(5_000);
  assert.equal(run.sink.ticks.at(-1), ['remove a', 'upsert a', 'synced']);
  assert.is(run.api.lists, 2);
  same(run);
});

test('a broken watch resumes from the last version, without a list', async () => {
  await using run = fixture();
  await run.watch.synced;
  await settle();
  run.api.cut(new Error('ECONNRESET'));
  await settle();
  assert.is(run.watch.state.phase, 'retrying');
  assert.ok(run.watch.complete, 'what is known still stands');
  run.api.put('a', 1);
  await run.clock.pass(2_000);
  assert.is(run.watch.state.phase, 'watching');
  assert.is(run.api.lists, 1);
  same(run);
});

test('an expired version causes a list and yields the differences, including missed deletes', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  api.put('b', 1);
  await using run = fixture(api);
  await run.watch.synced;
  await settle();
  api.cut(new Error('gone'));
  api.delete('a');
  api.put('b', 2);
  api.put('c', 1);
  api.compact();
  await run.clock.pass(5_000);
  assert.is(api.lists, 2);
  assert.equal(run.sink.ticks.at(-1), ['remove a', 'upsert b', 'upsert c', 'synced']);
  same(run);
});

test('a list of an older state than was seen is ignored: objects missing in it were not deleted', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  await using run = fixture(api);
  await run.watch.synced;
  await settle();
  const { state } = api;
  api.put('b', 1);
  await settle();
  api.listState = state;
  api.cut(new Error('gone'));
  api.put('c', 1);
  api.compact();
  await run.clock.pass(5_000);
  assert.equal(run.sink.ticks.at(-1), ['upsert b']);
  const { state: phase } = run.watch;
  assert.ok(
    phase.phase === 'retrying' && /answered state 2 after state 3/.test(phase.error.message),
    JSON.stringify(phase),
  );
  api.listState = undefined;
  await run.clock.pass(30_000);
  same(run);
  assert.not(run.sink.ticks.flat().includes('remove b'));
});

test('an API server that was restored to an older state is believed after several lists', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  await using run = fixture(api);
  await run.watch.synced;
  await settle();
  const { state } = api;
  api.put('b', 1);
  await settle();
  api.restore(state);
  api.cut(new Error('gone'));
  await run.clock.pass(60_000);
  assert.equal([...run.sink.objects.keys()], ['default/a']);
  assert.equal(run.watch.state, { phase: 'watching' });
});

test('a failed list passes nothing on; attempts have jitter and report their reason', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  api.listFault = unavailable;
  let attempts = 0;
  const list: NonNullable<WatchOptions['list']> = (take) => {
    attempts++;
    assert.ok(api.options.list);
    return api.options.list(take);
  };
  await using run = fixture(api, { list });
  await run.clock.pass(120_000);
  assert.equal(run.sink.ticks, []);
  assert.not(run.watch.complete);
  assert.ok(attempts >= 6 && attempts <= 10, `${attempts} attempts in two minutes`);
  const { state } = run.watch;
  assert.ok(state.phase === 'retrying' && state.error === unavailable && state.failures === attempts);
  api.listFault = undefined;
  await run.clock.pass(30_000);
  assert.equal(run.sink.ticks, [['all a', 'synced']]);
});

test('a retry delay from the server is respected', async () => {
  const api = new FakeCollection();
  api.listFault = Object.assign(Object.create(unavailable) as typeof unavailable, { retryAfter: 50_000 });
  await using run = fixture(api);
  await settle();
  assert.ok((run.clock.nextIn ?? 0) >= 50_000, String(run.clock.nextIn));
});

test('a forbidden kind is unknown, not empty: nothing is removed, and it recovers', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  await using run = fixture(api);
  await run.watch.synced;
  await settle();
  api.listFault = forbidden;
  api.watchFault = Object.assign(new Error('Forbidden'), { statusCode: 403 });
  api.cut();
  await run.clock.pass(60_000);
  const { state } = run.watch;
  assert.ok(state.phase === 'retrying');
  assert.is((state.error as typeof forbidden).code, 'RELAY_E_KUBE_FORBIDDEN');
  assert.is(run.sink.objects.size, 1);
  await using never = fixture(api);
  await never.clock.pass(60_000);
  assert.equal(never.sink.ticks, []);
  assert.not(never.watch.complete);
  api.listFault = undefined;
  api.watchFault = undefined;
  run.watch.recheck();
  never.watch.recheck();
  await settle();
  assert.is(run.watch.state.phase, 'watching');
  assert.ok(never.watch.complete);
});

test('a kind that discovery twice does not find is complete and empty, and starts when it appears', async () => {
  const api = new FakeCollection();
  api.listFault = notFound;
  api.served = false;
  let requested = 0;
  await using run = fixture(api, {
    serves: (signal) => {
      requested++;
      return api.options.serves(signal);
    },
  });
  await settle();
  assert.is(requested, 1);
  assert.equal(run.sink.ticks, []);
  await run.clock.pass(500);
  assert.is(requested, 2);
  assert.equal(run.sink.ticks, [['all', 'synced']]);
  assert.equal(run.watch.state, { phase: 'absent' });
  assert.ok(run.watch.complete);

  api.put('a', 1);
  api.listFault = undefined;
  api.served = true;
  run.watch.recheck();
  await settle();
  assert.equal(run.sink.ticks.at(-1), ['all a', 'synced']);
  assert.equal(
    run.states.map(({ phase }) => phase),
    ['absent', 'starting', 'watching'],
  );
});

test('404 without proof of absence removes nothing', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  await using run = fixture(api);
  await run.watch.synced;
  await settle();
  for (const served of [true, unavailable]) {
    api.served = served;
    api.watchFault = Object.assign(new Error('Not Found'), { statusCode: 404 });
    api.listFault = notFound;
    api.cut();
    await run.clock.pass(60_000);
    assert.is(run.watch.state.phase, 'retrying');
    assert.is(run.sink.objects.size, 1);
  }
});

test('deleting a CRD empties the kind; while discovery does not answer it is not up to date', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  await using run = fixture(api);
  await run.watch.synced;
  await settle();
  api.served = false;
  api.listFault = notFound;
  api.watchFault = Object.assign(new Error('Not Found'), { statusCode: 404 });
  api.cut();
  await run.clock.pass(5_000);
  assert.equal(run.sink.ticks.at(-1), ['all', 'synced']);
  api.served = unavailable;
  await run.clock.pass(30_000);
  assert.is(run.watch.state.phase, 'retrying');
  api.served = false;
  await run.clock.pass(30_000);
  assert.is(run.watch.state.phase, 'absent');
});

test('an object that cannot be transformed does not affect others, and keeps its last valid form', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  api.put('b', 1);
  const faulty: string[] = [];
  await using run = fixture(api, {
    transform: (object) => {
      if (object.spec === 'poison') throw new Error('bad');
      return object;
    },
    observer: { faulty: (object) => faulty.push(object) },
  });
  await run.watch.synced;
  await settle();
  api.put('a', 'poison');
  api.put('b', 2);
  await settle();
  assert.is(run.sink.objects.get('default/a')?.spec, 1);
  assert.is(run.sink.objects.get('default/b')?.spec, 2);
  assert.equal(faulty, ['default/a']);
});

test('a sink that throws gets everything again', async () => {
  const api = new FakeCollection();
  api.put('a', 1);
  await using run = fixture(api);
  await run.watch.synced;
  await settle();
  run.sink.fault = new Error('full');
  api.put('b', 1);
  await settle();
  assert.is(run.watch.state.phase, 'retrying');
  await run.clock.pass(5_000);
  assert.equal(run.sink.ticks.at(-1), ['all a b', 'synced']);
  assert.is(run.watch.state.phase, 'watching');
});

test('a sink that throws between two attempts gets everything again too', async () => {
  await using run = fixture();
  await run.watch.synced;
  await settle();
  run.api.put('a', 1);
  run.api.cut(new Error('ECONNRESET'));
  run.sink.fault = new Error('full');
  await run.clock.pass(5_000);
  assert.equal(run.sink.ticks.at(-1), ['all a', 'synced']);
  assert.is(run.watch.state.phase, 'watching');
});

test('malformed events neither stop the watch nor lose its position', async () => {
  await using run = fixture();
  await run.watch.synced;
  await settle();
  for (const type of ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR', 'SURPRISE']) {
    run.api.inject(type, undefined);
    run.api.inject(type, {});
    run.api.inject(type, { metadata: {} });
  }
  run.api.put('a', 1);
  await settle();
  run.api.cut();
  await run.clock.pass(10_000);
  assert.is(run.api.lists, 1);
  same(run);
});

test('an ERROR event ends the watch with the message of the server', async () => {
  await using run = fixture();
  await run.watch.synced;
  await settle();
  run.api.inject('ERROR', { kind: 'Status', code: 500, message: 'etcdserver: no leader' });
  run.api.cut();
  await settle();
  const { state } = run.watch;
  assert.ok(state.phase === 'retrying');
  assert.match(state.error.message, 'watch widgets: etcdserver: no leader');
});

test('after disposal the sink gets no calls and nothing stays open', async () => {
  const run = fixture();
  await run.watch.synced;
  await settle();
  run.api.put('a', 1);
  await run.watch[Symbol.asyncDispose]();
  run.api.put('b', 1);
  await run.clock.pass(60_000);
  assert.equal(run.sink.ticks, [['all', 'synced']]);
  assert.is(run.api.watchersNow, 0);
  assert.is(run.clock.nextIn, undefined);
});

test('a watch that ends normally is reopened within seconds, with the versions for writes', async () => {
  await using run = fixture();
  run.api.put('a', 1);
  await run.watch.synced;
  for (let i = 0; i < 20; i++) {
    run.api.cut();
    await run.clock.pass(5_000);
    assert.is(run.api.watchersNow, 1);
  }
  assert.is(run.api.lists, 1);
  const { uid, resourceVersion } = run.watch.versionOf({ namespace: 'default', name: 'a' }) ?? {};
  assert.equal([uid, resourceVersion], ['uid-1', '2']);
});

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), name: fc.constantFrom('a', 'b', 'c', 'd') }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('delete' as const), name: fc.constantFrom('a', 'b', 'c', 'd') }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 8_000 }) }) },
  fc.record({ do: fc.constant('compact' as const) }),
  fc.record({ do: fc.constantFrom('cut' as const, 'reset' as const, 'sinkFault' as const) }),
  fc.record({
    do: fc.constant('listFault' as const),
    error: fc.constantFrom(undefined, forbidden, unavailable, notFound),
  }),
  fc.record({ do: fc.constant('watchFault' as const), code: fc.constantFrom(undefined, 403, 404, 410, 500) }),
);

test('after any history of changes and faults the sink is equal, and never removes an object that was not deleted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await using run = fixture();
      const { api, sink, clock } = run;
      const remove = sink.remove.bind(sink);
      sink.remove = (key) => {
        const uid = sink.objects.get(`${key.namespace}/${key.name}`)?.metadata.uid;
        assert.ok(uid === undefined || api.deleted.has(uid), `removed ${key.name} ${uid}, which was not deleted`);
        remove(key);
      };
      const replaceAll = sink.replaceAll.bind(sink);
      sink.replaceAll = (objects) => {
        const retained = new Set(objects.map(({ metadata }) => metadata.uid));
        for (const { metadata } of sink.objects.values()) {
          assert.ok(retained.has(metadata.uid) || api.deleted.has(metadata.uid ?? ''), `${metadata.name} got lost`);
        }
        replaceAll(objects);
      };
      for (const [i, now] of steps.entries()) {
        if (now.do === 'put') api.put(now.name, i);
        else if (now.do === 'delete') api.delete(now.name);
        else if (now.do === 'pass') await clock.pass(now.ms);
        else if (now.do === 'compact') api.compact();
        else if (now.do === 'cut') api.cut();
        else if (now.do === 'reset') api.cut(new Error('ECONNRESET'));
        else if (now.do === 'sinkFault') sink.fault = new Error('full');
        else if (now.do === 'listFault') api.listFault = now.error;
        else if ('code' in now) {
          api.watchFault = now.code && Object.assign(new Error('refused'), { statusCode: now.code });
        }
      }
      api.listFault = undefined;
      api.watchFault = undefined;
      await clock.pass(120_000);
      assert.is(run.watch.state.phase, 'watching');
      same(run);
    }),
    { numRuns: scaledRuns(300), interruptAfterTimeLimit: 60_000 },
  );
});

test.run();
