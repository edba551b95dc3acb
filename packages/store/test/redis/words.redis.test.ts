/** Announcements between replicas: the last one of each live replica, whatever happens to Redis. */
import { randomUUID } from 'node:crypto';
import { assert, eventually, test } from '@meshrelay/testing';
import { redisProgram, startRedis } from '@meshrelay/testing/redis';
import { storeOn, type TestStore } from './support.ts';

const program = await redisProgram();
const heard = ({ store }: TestStore, from: TestStore, topic: string): string | undefined =>
  store.peerAnnouncements().get(from.replica)?.get(topic);
const until = (what: string, is: () => boolean): Promise<unknown> => eventually(what, is);

if (program !== undefined) {
  const redis = await startRedis(program);
  test.after(async () => await redis[Symbol.asyncDispose]());

  test('an announcement reaches the others and not its own replica; the last one counts', async () => {
    const prefix = randomUUID();
    await using a = await storeOn(redis, { prefix });
    await using b = await storeOn(redis, { prefix });
    const topics: string[] = [];
    const stop = new AbortController();
    void (async () => {
      for await (const change of b.store.watch(stop.signal))
        if (change.type === 'announced') topics.push(...change.topics);
    })();
    for (const word of ['one', 'two', 'three']) a.store.broadcast('c1', word);
    a.store.broadcast('', 'itself');
    await until('it is heard', () => heard(b, a, 'c1') === 'three' && heard(b, a, '') === 'itself');
    assert.equal([...topics].sort(), ['', 'c1'], 'what was said meanwhile was not told');
    assert.not(a.store.peerAnnouncements().has(a.replica));
    await using late = await storeOn(redis, { prefix });
    await until('who comes later hears it, too', () => heard(late, a, 'c1') === 'three');
    a.store.broadcast('c1', undefined);
    await until('it is taken back', () => heard(b, a, 'c1') === undefined && heard(late, a, 'c1') === undefined);
    stop.abort();
  });

  test('after Redis was flushed or restarted every replica announces again', async () => {
    const prefix = randomUUID();
    await using a = await storeOn(redis, { prefix });
    await using b = await storeOn(redis, { prefix });
    a.store.broadcast('', 'a');
    a.store.broadcast('c1', 'mine');
    await until('it is heard', () => heard(b, a, 'c1') === 'mine');
    for (const harm of [() => redis.command('FLUSHALL'), () => redis.restart()]) {
      await harm();
      await until('it is there again', () => {
        assert.is(heard(b, a, 'c1'), 'mine', 'no replica forgets it meanwhile');
        return true;
      });
      await eventually('who comes later hears it', async () => {
        await using late = await storeOn(redis, { prefix });
        return heard(late, a, 'c1') === 'mine';
      });
    }
  });

  test('announcements of a dead replica are dropped; one that only cannot reach Redis keeps its own', async () => {
    const prefix = randomUUID();
    let now = 0;
    await using b = await storeOn(redis, { prefix, now: () => performance.now() + now });
    const a = await storeOn(redis, { prefix });
    a.store.broadcast('c1', 'mine');
    await until('it is heard', () => heard(b, a, 'c1') === 'mine');
    await a[Symbol.asyncDispose]();
    assert.is(heard(b, a, 'c1'), 'mine', 'an end alone takes nothing back');
    now += 60_000;
    await until('it is silent for too long', () => !b.store.peerAnnouncements().has(a.replica));
  });

  test('forged announcements are ignored', async () => {
    const prefix = randomUUID();
    await redis.command('HSET', `{${prefix}}:words`, 'ghost|c1', 'a lie', 'ghost', 'x', 'ghost|', '');
    await redis.command('HSET', `{${prefix}}:replicas`, 'ghost', 'not a number', 'x'.repeat(5000), '1');
    await using a = await storeOn(redis, { prefix });
    await until('Redis is reached', () => a.store.stats().replication?.connected === true);
    assert.equal([...(a.store.peerAnnouncements().get('ghost') ?? [])], []);
    assert.equal(
      a.events.filter(({ type }) => type === 'disconnected'),
      [],
    );
  });
}

test.run();
