/** Replicas that share a Redis have the same data, however agents move between them and whatever happens to Redis. */
import { randomBytes, randomUUID } from 'node:crypto';
import { assert, eventually, scaledRuns, test } from '@meshrelay/testing';
import { redisProgram, startRedis } from '@meshrelay/testing/redis';
import fc from 'fast-check';
import type { SnapshotChange, SnapshotStore } from '../../src/mod.ts';
import { KEY, storeOn } from './support.ts';
import { alike, fill, KINDS, MESH, object, sent, step } from './support-snapshots.ts';

const program = await redisProgram();

/** Changes as they come, until the store ends. */
function changesOf(store: SnapshotStore): SnapshotChange[] {
  const changes: SnapshotChange[] = [];
  void (async () => {
    for await (const change of store.watch(new AbortController().signal)) changes.push(change);
  })();
  return changes;
}

if (program !== undefined) {
  const redis = await startRedis(program);
  test.after(async () => await redis[Symbol.asyncDispose]());
  const pair = async (prefix: string = randomUUID()) => {
    const stack = new AsyncDisposableStack();
    const one = stack.use(await storeOn(redis, { prefix }));
    const two = stack.use(await storeOn(redis, { prefix }));
    return { a: one.store, b: two.store, one, two, prefix, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  };

  test('data written at one replica is the same at the other, byte for byte, and reported as made elsewhere', async () => {
    await using both = await pair();
    const { a, b } = both;
    const changes = changesOf(b);
    await fill(a, 'c1', 50);
    await alike(a, b, 'c1');
    assert.ok((await b.read('c1'))?.complete);
    await a.write(step('c1', 3, { upserts: [object(MESH, 'm1', 'new')], deletes: [object(MESH, 'm2', '')] }));
    await alike(a, b, 'c1');
    const last = changes.at(-1);
    assert.is(last?.type === 'written' && last.origin, 'elsewhere');
    assert.equal(last?.type === 'written' && [last.upserts.length, last.deletes.length], [1, 1]);
    assert.equal(
      (await b.lookUp('c1', [object(MESH, 'm1', ''), object(MESH, 'm2', '')])).map((found) => found?.hash),
      [object(MESH, 'm1', 'new').hash, undefined],
    );
  });

  test('the key is exchanged while both run, and no value is lost or counted as corrupt meanwhile', async () => {
    await using both = await pair();
    const { a, b, one, two } = both;
    await fill(a, 'c1', 20);
    await alike(a, b, 'c1');
    const next = randomBytes(32);
    const steps = [
      [KEY, next],
      [next, KEY],
    ];
    let seq = 3;
    for (const keys of steps)
      for (const store of [a, b]) {
        store.rekey(keys);
        await a.write(step('c1', seq, { upserts: [object(MESH, 'm1', `new ${seq}`)] }));
        seq += 1;
        await alike(a, b, 'c1');
      }
    assert.not([...one.events, ...two.events].some(({ type }) => type === 'damaged'));
  });

  test('observed deletions are reported as such, and others never are', async () => {
    await using both = await pair();
    const { a, b } = both;
    await fill(a, 'c1', 9);
    await alike(a, b, 'c1');
    const changes = changesOf(b);
    const gone = (name: string) => [object(MESH, name, '')];
    await a.write(step('c1', 3, { deletes: gone('m1'), observed: true }));
    await alike(a, b, 'c1');
    await a.write(step('c1', 4, { deletes: gone('m2') }));
    await alike(a, b, 'c1');
    // Written behind as one step: it is observed only if all deletions are.
    await a.write(step('c1', 5, { deletes: gone('m3'), observed: true }));
    await a.write(step('c1', 6, { deletes: gone('m4') }));
    await alike(a, b, 'c1');
    assert.equal(
      changes.flatMap((change) => (change.type === 'written' ? [[change.deletes.length, change.observed]] : [])),
      [
        [1, true],
        [1, false],
        [2, false],
      ],
    );
  });

  test('state that one replica still compares with its agent is not claimed by the other, after a step, a head or a start', async () => {
    await using both = await pair();
    const { a, b, prefix } = both;
    await fill(a, 'c1', 9);
    await a.write(step('c1', 3, { inStep: true }));
    await alike(a, b, 'c1');
    const compared = { term: 1, seq: 3 };
    assert.equal((await b.digest('c1'))?.compared, compared);
    const changes = changesOf(b);
    await a.open({ cluster: 'c1', term: 2, kinds: KINDS });
    await a.write(step('c1', 1, { term: 2, upserts: [object(MESH, 'm1', 'new')] }));
    await alike(a, b, 'c1');
    const claims = async (store: SnapshotStore) => {
      const { version, compared: claimed } = (await store.digest('c1')) ?? {};
      return { version, claimed };
    };
    assert.equal(await claims(b), { version: { term: 2, seq: 1 }, claimed: compared });
    for (const change of changes) assert.equal('compared' in change && change.compared, compared);
    await using late = await storeOn(redis, { prefix });
    assert.equal(await claims(late.store), { version: { term: 2, seq: 1 }, claimed: compared });
    await a.write(step('c1', 2, { term: 2, inStep: true }));
    for (const store of [b, late.store]) {
      await alike(a, store, 'c1');
      assert.equal(await claims(store), { version: { term: 2, seq: 2 }, claimed: { term: 2, seq: 2 } });
    }
  });

  test('a replica that starts later has all data at once', async () => {
    await using both = await pair();
    await fill(both.a, 'c1', 2000);
    await fill(both.a, 'c2', 3);
    await alike(both.a, both.b, 'c1', 'c2');
    await using late = await storeOn(redis, { prefix: both.prefix });
    assert.equal(await late.store.clusters(), ['c1', 'c2']);
    assert.is(await sent(late.store, 'c1'), await sent(both.a, 'c1'));
    assert.equal(
      late.events.filter(({ type }) => type === 'damaged'),
      [],
    );
  });

  test('an agent that moves takes its cluster along, and its earlier replica is overtaken', async () => {
    await using both = await pair();
    const { a, b } = both;
    await fill(a, 'c1', 3);
    await alike(a, b, 'c1');
    await b.open({ cluster: 'c1', term: 1, kinds: KINDS });
    await b.write(step('c1', 7, { upserts: [object(MESH, 'm1', 'by b')] }));
    await alike(b, a, 'c1');
    const late = await a.write(step('c1', 5, { upserts: [object(MESH, 'm1', 'late')] }));
    assert.equal(late, { accepted: false, reason: 'older', known: { term: 1, seq: 7 } });
    await a.open({ cluster: 'c1', term: 2, kinds: [MESH] });
    await a.write(step('c1', 1, { term: 2, upserts: [object(MESH, 'm9', 'term two')] }));
    await alike(a, b, 'c1');
    assert.is((await b.write(step('c1', 9))).accepted, false);
  });

  test('a removed cluster is removed everywhere, and may be registered again from its first term', async () => {
    await using both = await pair();
    const { a, b, prefix } = both;
    await fill(a, 'c1', 3, 'one', 5);
    await alike(a, b, 'c1');
    const changes = changesOf(b);
    await a.remove('c1');
    await eventually('the other knows', async () => (await b.read('c1')) === undefined);
    assert.is(changes.at(-1)?.type, 'removed');
    await using late = await storeOn(redis, { prefix });
    assert.equal(await late.store.clusters(), []);
    await fill(b, 'c1', 1, 'again', 1);
    await alike(b, a, 'c1');
    await alike(b, late.store, 'c1');
  });

  test('any replica with the data refills a flushed Redis, also for agents that are gone', async () => {
    await using both = await pair();
    const { a, b, prefix } = both;
    await fill(a, 'c1', 20);
    await fill(b, 'c2', 20);
    await alike(a, b, 'c1', 'c2');
    await using third = await storeOn(redis, { prefix });
    await a[Symbol.asyncDispose](); // no replica has the agent of c1 now
    await redis.command('FLUSHALL');
    const started = performance.now();
    await eventually('a fresh replica knows both', async () => {
      await using fresh = await storeOn(redis, { prefix });
      return (await fresh.store.clusters()).join() === 'c1,c2';
    });
    console.log(`filled again after ${Math.round(performance.now() - started)} ms`);
    await using fresh = await storeOn(redis, { prefix });
    await alike(third.store, fresh.store, 'c1', 'c2');
  });

  test('a large cluster takes several writes, and is visible only when complete', async () => {
    await using both = await pair();
    const { a, b } = both;
    const body = new Uint8Array(20_000).map(() => Math.random() * 256);
    const upserts = Array.from({ length: 200 }, (_, at) => ({ ...object(MESH, `m${at}`, `x${at}`), body }));
    await a.open({ cluster: 'big', term: 1, kinds: [MESH] });
    await a.write(step('big', 1, { upserts }));
    await alike(a, b, 'big');
    await a.write(step('big', 2, { upserts: upserts.map((one) => ({ ...one, hash: 'f'.repeat(32) })) }));
    await alike(a, b, 'big');
  });

  test('in the end all replicas have the last data, whatever happened to Redis meanwhile', async () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd');
    const event = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          do: fc.constant('write' as const),
          at: fc.constantFrom(0, 1),
          name: names,
          text: fc.constantFrom('1', '2', '3'),
          gone: fc.boolean(),
          kind: fc.constantFrom(...KINDS),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          { do: 'flush' as const },
          { do: 'restart' as const },
          { do: 'term' as const },
          { do: 'settle' as const },
        ),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (list) => {
        await using server = await startRedis(program);
        await using one = await storeOn(server);
        await using two = await storeOn(server);
        const stores = [one.store, two.store];
        let [term, seq, at] = [1, 0, 0];
        await one.store.open({ cluster: 'c1', term, kinds: KINDS });
        for (const each of list) {
          if (each.do === 'flush') await server.command('FLUSHALL');
          else if (each.do === 'restart') await server.restart();
          else if (each.do === 'settle') await alike(one.store, two.store, 'c1');
          else if (each.do === 'term') {
            [term, seq] = [term + 1, 0];
            await stores[at]?.open({ cluster: 'c1', term, kinds: KINDS });
          } else {
            const store = stores[each.at];
            if (each.at !== at) {
              // The agent compares before it sends more: by then it has sent everything that the replica lacks.
              const [from, to] = [stores[at], store];
              at = each.at;
              await to?.open({ cluster: 'c1', term, kinds: KINDS });
              for (const { kind, objects } of (await from?.read('c1'))?.kinds ?? []) {
                seq += 1;
                const known =
                  (await to?.read('c1'))?.kinds.find((other) => other.kind.kind === kind.kind)?.objects ?? [];
                const deletes = known.filter(({ name }) => !objects.some((object_) => object_.name === name));
                await to?.write(step('c1', seq, { term, kind, upserts: objects, deletes }));
              }
            }
            seq += 1;
            const changed = object(each.kind, each.name, each.text);
            const changes = each.gone ? { deletes: [changed] } : { upserts: [changed] };
            const result = await store?.write(step('c1', seq, { term, kind: each.kind, ...changes }));
            assert.is(result?.accepted, true);
          }
        }
        await alike(one.store, two.store, 'c1');
        const expected = await sent(stores[at] as SnapshotStore, 'c1');
        assert.is(await sent(stores[1 - at] as SnapshotStore, 'c1'), expected);
        await using fresh = await storeOn(server);
        await eventually('a fresh replica knows it, too', async () => (await sent(fresh.store, 'c1')) === expected);
      }),
      { numRuns: scaledRuns(25), endOnFailure: true },
    );
  });
}

test.run();
