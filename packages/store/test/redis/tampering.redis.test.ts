/**
 * T9: an attacker that can write to Redis can make replicas lose data, but can neither forge data nor crash a replica.
 */
import { Buffer } from 'node:buffer';
import { randomBytes, randomUUID } from 'node:crypto';
import process from 'node:process';
import { assert, eventually, test } from '@meshrelay/testing';
import { type RedisReply, redisProgram, startRedis } from '@meshrelay/testing/redis';
import type { SnapshotStore } from '../../src/mod.ts';
import { cuttable, KEY, storeOn, type TestStore, untilConnected, untilDown } from './support.ts';
import { alike, fill, KINDS, MESH, object, sent, step } from './support-snapshots.ts';

const program = await redisProgram();
const OBJECTS = 60;

/** Bytes as the tests' command returns them. */
const bytesOf = (reply: RedisReply | undefined): Buffer => Buffer.from(String(reply), 'latin1');

/** Asserts that a store has each object of `truth` as `one=hash:body` unchanged, or lacks it. */
async function assertNothingMadeUp(
  store: SnapshotStore,
  truth: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  for (const cluster of await store.clusters()) {
    const known = truth.get(cluster);
    assert.ok(known !== undefined, `${cluster} is made up`);
    for (const { objects, missing, synced, digest } of (await store.read(cluster))?.kinds ?? []) {
      for (const { name, hash, body } of objects)
        assert.ok(known?.has(`${name}=${hash}:${Buffer.from(body).toString('latin1')}`), `${cluster} ${name} ${hash}`);
      if (missing.length > 0) assert.is(synced, false, `${cluster}: complete without ${missing.length} objects`);
      if (synced && digest !== '0'.repeat(32)) assert.is(objects.length, OBJECTS, `${cluster}: complete without some`);
    }
  }
}

const writtenBy = ({ store }: TestStore): Promise<unknown> =>
  eventually('all is written', () => store.stats().replication?.waiting === 0, { deadline: 60_000 });
const corruptions = ({ events }: TestStore): number => events.filter(({ type }) => type === 'damaged').length;

if (program !== undefined) {
  const redis = await startRedis(program);
  test.after(async () => await redis[Symbol.asyncDispose]());

  /** Two clusters in Redis, written by a store that has stopped: no replica repairs corrupt values. */
  const left = async () => {
    const prefix = randomUUID();
    const truth = new Map<string, Set<string>>();
    const expected = new Map<string, string>();
    await using writer = await storeOn(redis, { prefix });
    for (const cluster of ['c1', 'c2']) {
      await fill(writer.store, cluster, OBJECTS, cluster);
      const objects = (await writer.store.read(cluster))?.kinds.flatMap((kind) => kind.objects) ?? [];
      truth.set(
        cluster,
        new Set(objects.map(({ name, hash, body }) => `${name}=${hash}:${Buffer.from(body).toString('latin1')}`)),
      );
      expected.set(cluster, await sent(writer.store, cluster));
    }
    await writtenBy(writer);
    await using reader = await storeOn(redis, { prefix });
    await alike(writer.store, reader.store, 'c1', 'c2');
    const keys = {
      heads: `{${prefix}}:heads`,
      c1: `{${prefix}}:contents:c1`,
      c2: `{${prefix}}:contents:c2`,
      changes: `{${prefix}}:changes`,
    };
    return { prefix, truth, expected, keys };
  };
  const dump = async (key: string): Promise<Map<string, Buffer>> => {
    const flat = (await redis.command('HGETALL', key)) as readonly RedisReply[];
    return new Map(
      Array.from({ length: flat.length / 2 }, (_, at) => [String(flat[2 * at]), bytesOf(flat[2 * at + 1])]),
    );
  };

  test('1,000 values with a bit flipped: each is unknown, none is trusted', async () => {
    let flipped = 0;
    while (flipped < 1000) {
      const { prefix, truth, expected, keys } = await left();
      for (const key of [keys.c1, keys.c2]) {
        for (const [field, value] of await dump(key)) {
          const bit = Math.floor(Math.random() * value.byteLength * 8);
          value[bit >> 3] = (value[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          await redis.command('HSET', key, field, value);
          flipped += 1;
        }
      }
      await using reader = await storeOn(redis, { prefix });
      await assertNothingMadeUp(reader.store, truth);
      assert.ok(corruptions(reader) > 0);
      for (const [cluster, text] of expected) assert.is.not(await sent(reader.store, cluster), text);
      assert.not((await reader.store.read('c1'))?.complete);
    }
    console.log(`${flipped} values flipped`);
  });

  test('a single flipped value costs that object and no other', async () => {
    const { prefix, truth, keys } = await left();
    const [[field, value] = ['', Buffer.of()]] = [...(await dump(keys.c1))].filter(([name]) => name.startsWith('o|'));
    value[value.byteLength - 20] = (value.at(-20) ?? 0) ^ 1;
    await redis.command('HSET', keys.c1, field, value);
    await using reader = await storeOn(redis, { prefix });
    await assertNothingMadeUp(reader.store, truth);
    const kinds = (await reader.store.read('c1'))?.kinds ?? [];
    assert.is(kinds.flatMap(({ missing }) => missing).length, 1);
    assert.is(kinds.flatMap(({ objects }) => objects).length, OBJECTS - 1);
    assert.ok((await reader.store.read('c2'))?.complete, 'the other cluster is as it was');
  });

  test('a value that was corrupted while its writer was away is requested until the writer returns and rewrites it', async () => {
    const prefix = randomUUID();
    const way = cuttable(redis);
    await using writer = await storeOn(redis, { prefix, connect: way.connect });
    await fill(writer.store, 'c1', OBJECTS);
    await writtenBy(writer);
    way.end();
    await untilDown(writer);
    const contents = `{${prefix}}:contents:c1`;
    const [[field, value] = ['', Buffer.of()]] = [...(await dump(contents))].filter(([name]) => name.startsWith('o|'));
    value[value.byteLength - 20] = (value.at(-20) ?? 0) ^ 1;
    await redis.command('HSET', contents, field, value);
    // It requests the value at its start, when no replica receives the request.
    await using reader = await storeOn(redis, { prefix });
    assert.is(corruptions(reader), 1);
    assert.not((await reader.store.read('c1'))?.complete);
    way.cut = false;
    await untilConnected(writer);
    await alike(writer.store, reader.store, 'c1');
    assert.ok((await reader.store.read('c1'))?.complete);
  });

  test('a missing value is missing: not empty, not deleted, and its kind is not synced', async () => {
    const { prefix, keys } = await left();
    const field = [...(await dump(keys.c1)).keys()].find((name) => name.includes('/m7|')) ?? '';
    await redis.command('HDEL', keys.c1, field);
    await using reader = await storeOn(redis, { prefix });
    const [mesh] = (await reader.store.read('c1'))?.kinds.filter(({ kind }) => kind.kind === 'Mesh') ?? [];
    assert.equal(mesh?.missing, [{ ...MESH, namespace: 'default', name: 'm7' }]);
    assert.is(mesh?.synced, false);
    assert.not((await reader.store.read('c1'))?.complete);
  });

  test('values swapped between clusters, and between objects, are valid for neither', async () => {
    const { prefix, truth, keys } = await left();
    const [one, two] = [await dump(keys.c1), await dump(keys.c2)];
    for (const [field, value] of one) await redis.command('HSET', keys.c2, field, value);
    for (const [field, value] of two) await redis.command('HSET', keys.c1, field, value);
    const heads = await dump(keys.heads);
    await redis.command('HSET', keys.heads, 'c1', heads.get('c2') ?? '');
    await redis.command('HSET', keys.heads, 'c3', heads.get('c1') ?? '');
    await using reader = await storeOn(redis, { prefix });
    await assertNothingMadeUp(reader.store, truth);
    assert.equal(await reader.store.read('c1'), undefined, 'its head is of another cluster');
    assert.equal(await reader.store.read('c3'), undefined);
    const objects = [...one].filter(([field]) => field.startsWith('o|'));
    for (const [at, [field]] of objects.entries())
      await redis.command('HSET', keys.c1, field, objects[(at + 1) % objects.length]?.[1] ?? '');
    await redis.command('HSET', keys.heads, 'c1', heads.get('c1') ?? '');
    await using again = await storeOn(redis, { prefix });
    await assertNothingMadeUp(again.store, truth);
  });

  test('values of another version are stale: an older index is corrupt, an older whole state is valid', async () => {
    const { prefix, truth, keys } = await left();
    const [before, heads] = [await dump(keys.c1), await dump(keys.heads)];
    {
      await using writer = await storeOn(redis, { prefix });
      await writer.store.open({ cluster: 'c1', term: 2, kinds: KINDS });
      await writer.store.write(
        step('c1', 1, { term: 2, deletes: [object(MESH, 'm1', '')], upserts: [object(MESH, 'm2', 'newer')] }),
      );
      await writtenBy(writer);
    }
    const now = await dump(keys.heads);
    // A running replica that has seen the newer version keeps it, and rewrites it.
    await using warm = await storeOn(redis, { prefix });
    const newest = await sent(warm.store, 'c1');
    for (const [field, value] of before) await redis.command('HSET', keys.c1, field, value);
    {
      await using reader = await storeOn(redis, { prefix });
      const [mesh] = (await reader.store.read('c1'))?.kinds.filter(({ kind }) => kind.kind === 'Mesh') ?? [];
      assert.is(mesh?.synced, false, 'the index is not the head’s');
      assert.equal(mesh?.objects, []);
    }
    assert.not(now.get('c1')?.equals(heads.get('c1') ?? Buffer.of()));
    await redis.command('HSET', keys.heads, 'c1', heads.get('c1') ?? '');
    assert.is(await sent(warm.store, 'c1'), newest);
    await eventually('the newer one is written again', async () => {
      await using reader = await storeOn(redis, { prefix });
      return (await sent(reader.store, 'c1')) === newest;
    });
    assert.is(await sent(warm.store, 'c1'), newest);
    truth.clear();
  });

  test('keys of another type, huge values and random data crash no replica, and are repaired by one with the data', async () => {
    const { prefix, keys, expected } = await left();
    await using warm = await storeOn(redis, { prefix });
    const repaired = (what: string): Promise<unknown> =>
      eventually(
        `${what}: repaired`,
        async () => {
          await using reader = await storeOn(redis, { prefix });
          return (await sent(reader.store, 'c1')) === expected.get('c1');
        },
        { seen: () => warm.events },
      );
    for (const key of [keys.c1, keys.heads, keys.changes]) {
      await redis.command('DEL', key);
      await redis.command('LPUSH', key, 'foreign');
      await repaired(`LPUSH on ${key.slice(-8)}`);
      assert.is(await sent(warm.store, 'c1'), expected.get('c1'));
    }
    await redis.command('HSET', keys.heads, 'c1', 'x'.repeat(10_000_000));
    await repaired('a head of 10 MB');
    for (const rubbish of ['', 'x', randomBytes(200), '9'.repeat(50)]) {
      await redis.command('HSET', keys.heads, 'c1', rubbish);
      await redis.command('XADD', keys.changes, '*', 's', rubbish);
      await redis.command('XADD', keys.changes, '*', 'other', 'x');
    }
    await repaired('rubbish');
    assert.ok(corruptions(warm) > 0);
    assert.is(await sent(warm.store, 'c1'), expected.get('c1'));
  });

  test('a value of 512 MB is not even read', async () => {
    await using huge = await startRedis(program, { args: ['--proto-max-bulk-len', '600mb'] });
    {
      await using writer = await storeOn(huge);
      await fill(writer.store, 'c1', OBJECTS);
      await writtenBy(writer);
    }
    const contents = '{test}:contents:c1';
    const fields = (await huge.command('HKEYS', contents)) as readonly string[];
    const field = fields.find((name) => name.includes('/m7|')) ?? '';
    // Created by Redis itself, so that this process need not hold it.
    await huge.command('SETRANGE', 'huge', String(512 * 1024 * 1024 - 1), 'x');
    const make = "redis.call('HSET', KEYS[2], ARGV[1], redis.call('GET', KEYS[1]))";
    await huge.command('EVAL', make, '2', 'huge', contents, field);
    const before = process.memoryUsage().rss;
    await using reader = await storeOn(huge, { timeoutMs: 30_000 });
    assert.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024);
    const kinds = (await reader.store.read('c1'))?.kinds ?? [];
    assert.is(kinds.flatMap(({ missing }) => missing).length, 1);
    assert.is(kinds.flatMap(({ objects }) => objects).length, OBJECTS - 1);
    assert.ok(reader.events.some((event) => event.type === 'damaged' && event.corruption === 'size'));
  });

  test('with another key nothing is trusted; with both, while keys are changed, everything is', async () => {
    const { prefix, expected } = await left();
    const next = randomBytes(32);
    {
      await using stranger = await storeOn(redis, { prefix, keys: [next] });
      assert.equal(await stranger.store.clusters(), []);
      assert.ok(stranger.events.some((event) => event.type === 'damaged' && event.corruption === 'key'));
    }
    await using changing = await storeOn(redis, { prefix, keys: [next, KEY] });
    assert.is(await sent(changing.store, 'c1'), expected.get('c1'));
  });
}

test.run();
