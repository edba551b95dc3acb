/**
 * F28-F35: Redis killed, empty, flushed, full, read-only, slow, rolled back, or unreachable for one replica. No data is
 * lost, no caller waits.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { assert, eventually, test } from '@meshrelay/testing';
import { redisProgram, startRedis } from '@meshrelay/testing/redis';
import { MemoryStore, type SnapshotStore } from '../../src/mod.ts';
import { cuttable, isConnected, storeOn, untilConnected, untilDown } from './support.ts';
import { alike, fill, KINDS, MESH, object, sent, step } from './support-snapshots.ts';

const program = await redisProgram();

/** Writes one change after the other. @returns milliseconds of the median and the 99th percentile */
async function timed(
  store: SnapshotStore,
  cluster: string,
  from: number,
  count: number,
): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    await store.write(step(cluster, from + at, { upserts: [object(MESH, `m${at % 50}`, `${from}-${at}`)] }));
    times.push(performance.now() - started);
    if (at % 20 === 0) await new Promise((resume) => setImmediate(resume));
  }
  times.sort((a, b) => a - b);
  return { p50: times[times.length >> 1] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** A proxy between a store and Redis: forwards data in pieces, or nothing at all. */
async function proxyTo(port: number, { piece }: { readonly piece?: number } = {}) {
  const sockets = new Set<Socket>();
  const server = createServer((inner) => {
    const outer = connect({ port, host: '127.0.0.1' });
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
    }
    inner.on('data', (bytes) => outer.write(bytes));
    outer.on('data', (bytes: Buffer) => {
      if (piece === undefined) inner.write(bytes);
      else for (let at = 0; at < bytes.byteLength; at += piece) inner.write(bytes.subarray(at, at + piece));
    });
    inner.on('close', () => outer.destroy());
    outer.on('close', () => inner.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

if (program !== undefined) {
  test('F28: with Redis killed, replicas continue from memory as fast as before; data of others is stale, and that is reported', async () => {
    await using redis = await startRedis(program);
    await using a = await storeOn(redis);
    await using b = await storeOn(redis);
    await fill(a.store, 'c1', 50);
    await fill(b.store, 'c2', 50);
    await alike(a.store, b.store, 'c1', 'c2');
    await timed(a.store, 'c1', 10, 2000); // warm
    const before = await timed(a.store, 'c1', 3000, 2000);
    await redis.kill();
    await untilDown(a);
    await untilDown(b);
    const after = await timed(a.store, 'c1', 6000, 2000);
    await using memory = new MemoryStore();
    await fill(memory, 'c1', 50);
    const alone = await timed(memory, 'c1', 10, 2000);
    const us = (ms: number): string => `${(1000 * ms).toFixed(1)} us`;
    console.log(
      `a write: ${us(before.p50)} with Redis, ${us(after.p50)} without, ${us(alone.p50)} in the memory store`,
    );
    // Without Redis there is less to do, never more; the rest is noise of the machine.
    assert.ok(after.p50 <= before.p50 * 1.1 + 0.02, `${after.p50} ms instead of ${before.p50} ms`);
    const frozen = await sent(a.store, 'c2');
    await b.store.write(step('c2', 3, { upserts: [object(MESH, 'm1', 'unseen')] }));
    assert.is(await sent(a.store, 'c2'), frozen);
    const { connected, sinceMs = -1, waiting = 0 } = a.store.stats().replication ?? {};
    assert.ok(connected === false && sinceMs >= 0 && waiting > 0, JSON.stringify(a.store.stats()));
    assert.ok(waiting <= 50, 'each key waits once, however often it changed');
    const back = performance.now();
    await redis.restart();
    await alike(a.store, b.store, 'c1', 'c2');
    console.log(`alike ${Math.round(performance.now() - back)} ms after Redis came back`);
  });

  test('F29, F30: restarted empty, or flushed, Redis is full again within 10 s, and no replica loses data', async () => {
    await using redis = await startRedis(program);
    await using a = await storeOn(redis);
    await using b = await storeOn(redis);
    await fill(a.store, 'c1', 500);
    await fill(b.store, 'c2', 500);
    await alike(a.store, b.store, 'c1', 'c2');
    const known = [await sent(a.store, 'c1'), await sent(a.store, 'c2')];
    const heads = async (): Promise<unknown> => redis.command('HLEN', '{test}:heads').catch(() => 0);
    for (const [what, harm] of [
      ['restarted empty', () => redis.restart()],
      ['flushed', () => redis.command('FLUSHALL')],
      ['one key evicted', () => redis.command('DEL', '{test}:contents:c1')],
      ['the heads evicted', () => redis.command('DEL', '{test}:heads')],
      ['the stream evicted', () => redis.command('DEL', '{test}:changes')],
      ['one key expired', () => redis.command('PEXPIRE', '{test}:contents:c2', '0')],
    ] as const) {
      await harm();
      const started = performance.now();
      await eventually(
        `${what}: it is full again`,
        async () =>
          (await heads()) === 2 &&
          (await redis.command('HLEN', '{test}:contents:c1')) === 564 &&
          (await redis.command('HLEN', '{test}:contents:c2')) === 564,
        { deadline: 10_000, seen: () => a.events },
      );
      console.log(`${what}: full again after ${Math.round(performance.now() - started)} ms`);
      assert.equal([await sent(a.store, 'c1'), await sent(b.store, 'c2')], known);
    }
    await using fresh = await storeOn(redis);
    assert.equal([await sent(fresh.store, 'c1'), await sent(fresh.store, 'c2')], known);
    assert.ok(a.events.some(({ type }) => type === 'rewritten') || b.events.some(({ type }) => type === 'rewritten'));
  });

  test('F33: full, read-only or without its replicas, Redis rejects writes: memory continues, nothing piles up, and all is written later', async () => {
    for (const [what, harm, repair] of [
      ['OOM', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
      ['NOREPLICAS', ['CONFIG', 'SET', 'min-replicas-to-write', '1'], ['CONFIG', 'SET', 'min-replicas-to-write', '0']],
      ['READONLY', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ] as const) {
      await using redis = await startRedis(program, { args: ['--maxmemory-policy', 'noeviction'] });
      await using a = await storeOn(redis);
      await using b = await storeOn(redis);
      await fill(a.store, 'c1', 20);
      await alike(a.store, b.store, 'c1');
      await redis.command(...harm);
      const frozen = await sent(b.store, 'c1');
      for (let seq = 3; seq < 2000; seq += 1)
        await a.store.write(step('c1', seq, { upserts: [object(MESH, `m${seq % 20}`, `${what}-${seq}`)] }));
      await untilDown(a);
      const reportedStep = a.events.findLast(({ type }) => type === 'disconnected');
      const message = reportedStep?.type === 'disconnected' ? reportedStep.error.message : '';
      // A master that becomes a replica also disconnects blocked readers.
      assert.ok(message.includes(what) || message.includes('UNBLOCKED'), message);
      assert.ok((a.store.stats().replication?.waiting ?? 0) <= 20);
      assert.is(await sent(b.store, 'c1'), frozen);
      await redis.command(...repair);
      await alike(a.store, b.store, 'c1');
      await untilConnected(a);
    }
  });

  test('F33: a Redis that cannot save its file rejects writes (MISCONF): memory continues, and all is written later', async () => {
    await using redis = await startRedis(program, { args: ['--enable-protected-configs', 'yes', '--save', '3600 1'] });
    await using a = await storeOn(redis);
    await using b = await storeOn(redis);
    await fill(a.store, 'c1', 20);
    await alike(a.store, b.store, 'c1');
    // No process, not even root's, can create files there.
    await redis.command('CONFIG', 'SET', 'dir', '/proc');
    await redis.command('BGSAVE').catch(() => undefined);
    await eventually('saving to have failed', async () =>
      String(await redis.command('INFO', 'persistence')).includes('rdb_last_bgsave_status:err'),
    );
    await a.store.write(step('c1', 3, { upserts: [object(MESH, 'm1', 'meanwhile')] }));
    await untilDown(a);
    const event = a.events.findLast(({ type }) => type === 'disconnected');
    assert.match(event?.type === 'disconnected' ? event.error.message : '', 'MISCONF');
    assert.is((await a.store.lookUp('c1', [object(MESH, 'm1', '')])).length, 1);
    await redis.command('CONFIG', 'SET', 'stop-writes-on-bgsave-error', 'no');
    await alike(a.store, b.store, 'c1');
    await untilConnected(a);
  });

  test('F33: replicas wait for a Redis that is still reading its file (LOADING), and lose no data', async () => {
    await using redis = await startRedis(program);
    await using a = await storeOn(redis);
    await using b = await storeOn(redis);
    await fill(a.store, 'c1', 20);
    await alike(a.store, b.store, 'c1');
    const known = await sent(a.store, 'c1');
    await redis.command('SAVE');
    // While loading, Redis serves other clients only at intervals of bytes, and pauses at each key (microseconds).
    const slowly = ['--loading-process-events-interval-bytes', '1024', '--key-load-delay', '300000'];
    const back = redis.restart(['--dbfilename', 'dump.rdb', ...slowly]);
    await eventually('it is reading', () =>
      redis.command('GET', 'x').then(
        () => false,
        (error: unknown) => String(error).includes('LOADING'),
      ),
    );
    assert.equal(await sent(a.store, 'c1'), known);
    await a.store.write(step('c1', 3, { upserts: [object(MESH, 'm1', 'meanwhile')] }));
    await back;
    await alike(a.store, b.store, 'c1');
    await untilConnected(a);
  });

  test('F33: a Redis that hangs is disconnected after a second, and used again when it continues', async () => {
    await using redis = await startRedis(program);
    await using a = await storeOn(redis);
    await using b = await storeOn(redis);
    await fill(a.store, 'c1', 20);
    await alike(a.store, b.store, 'c1');
    redis.pause();
    await a.store.write(step('c1', 3, { upserts: [object(MESH, 'm1', 'meanwhile')] }));
    await untilDown(a);
    assert.ok((await a.store.lookUp('c1', [object(MESH, 'm1', '')])).length === 1);
    redis.resume();
    await alike(a.store, b.store, 'c1');
  });

  test('F33: answers that arrive byte by byte are read', async () => {
    await using redis = await startRedis(program);
    await using slow = await proxyTo(redis.port, { piece: 1 });
    await using a = await storeOn(redis);
    await fill(a.store, 'c1', 30);
    await using b = await storeOn(slow);
    await alike(a.store, b.store, 'c1');
  });

  test('F34: a replica with newer data overwrites an older state of Redis, and no replica goes back', async () => {
    await using redis = await startRedis(program);
    await using a = await storeOn(redis);
    await using b = await storeOn(redis);
    await fill(a.store, 'c1', 20);
    await fill(b.store, 'c2', 20);
    await alike(a.store, b.store, 'c1', 'c2');
    await eventually('all is written', () => [a, b].every(({ store }) => store.stats().replication?.waiting === 0));
    await redis.command('SAVE');
    await a.store.write(step('c1', 3, { upserts: [object(MESH, 'm1', 'after')], deletes: [object(MESH, 'm2', '')] }));
    await b.store.open({ cluster: 'c2', term: 2, kinds: KINDS });
    await b.store.write(step('c2', 1, { term: 2, upserts: [object(MESH, 'm1', 'after')] }));
    await alike(a.store, b.store, 'c1', 'c2');
    const newest = [await sent(a.store, 'c1'), await sent(a.store, 'c2')];
    await redis.restart(['--dbfilename', 'dump.rdb']);
    const started = performance.now();
    await eventually(
      'a fresh replica knows the newest',
      async () => {
        assert.equal([await sent(a.store, 'c1'), await sent(b.store, 'c2')], newest);
        await using fresh = await storeOn(redis);
        return [await sent(fresh.store, 'c1'), await sent(fresh.store, 'c2')].join() === newest.join();
      },
      { deadline: 10_000 },
    );
    console.log(`rolled back: newest again after ${Math.round(performance.now() - started)} ms`);
    assert.ok(join(redis.folder, 'dump.rdb').length > 0);
  });

  test('F35: a replica that cannot reach Redis continues alone; the agent that moves away from it is trusted', async () => {
    await using redis = await startRedis(program);
    const way = cuttable(redis);
    await using a = await storeOn(redis);
    await using b = await storeOn(redis, { connect: way.connect });
    await fill(b.store, 'c1', 20);
    await alike(a.store, b.store, 'c1');
    way.end();
    await untilDown(b);
    await b.store.write(step('c1', 3, { upserts: [object(MESH, 'm1', 'only b knows')] }));
    // The agent moves to a, and sends it what it lacks.
    await a.store.open({ cluster: 'c1', term: 1, kinds: KINDS });
    await a.store.write(step('c1', 5, { upserts: [object(MESH, 'm1', 'newest')] }));
    assert.ok(isConnected(a));
    way.cut = false;
    await untilConnected(b);
    await alike(a.store, b.store, 'c1');
    assert.is((await b.store.lookUp('c1', [object(MESH, 'm1', '')]))[0]?.hash, object(MESH, 'm1', 'newest').hash);
  });

  test('started without Redis, a store waits a while, continues, and ingests the data in Redis when it returns', async () => {
    const prefix = randomUUID();
    await using redis = await startRedis(program);
    const way = cuttable(redis);
    way.cut = true;
    await using a = await storeOn(redis, { prefix });
    await fill(a.store, 'c1', 20);
    await using late = await storeOn(redis, { prefix, connect: way.connect, timeoutMs: 50 });
    assert.equal(await late.store.clusters(), []);
    await fill(late.store, 'c2', 5);
    way.cut = false;
    await alike(a.store, late.store, 'c1', 'c2');
  });

  test('changes reach other replicas soon', async () => {
    await using redis = await startRedis(program);
    await using a = await storeOn(redis);
    await using b = await storeOn(redis);
    await fill(a.store, 'c1', 1000);
    await alike(a.store, b.store, 'c1');
    const times: number[] = [];
    const changes = b.store.watch(new AbortController().signal)[Symbol.asyncIterator]();
    for (let seq = 3; seq < 203; seq += 1) {
      const started = performance.now();
      await a.store.write(step('c1', seq, { upserts: [object(MESH, `m${seq}`, `again-${seq}`)] }));
      await changes.next();
      times.push(performance.now() - started);
    }
    times.sort((x, y) => x - y);
    console.log(`known elsewhere after ${times[100]?.toFixed(2)} ms (p50), ${times[198]?.toFixed(2)} ms (p99)`);
    await alike(a.store, b.store, 'c1');
  });
}

test.run();
