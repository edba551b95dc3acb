/** The Redis of the tests is a real one, and fails on request. */
import { readFileSync } from 'node:fs';
import { assert, eventually, test } from '../src/mod.ts';
import { redisProgram, startRedis } from '../src/redis/mod.ts';

const program = await redisProgram();

if (program !== undefined) {
  test('answers, loses its data in a restart, and keeps its port', async () => {
    await using redis = await startRedis(program);
    assert.is(await redis.command('SET', 'k', Uint8Array.of(0, 255, 10)), 'OK');
    assert.is(await redis.command('GET', 'k'), '\u0000\u00ff\n');
    assert.equal(await redis.command('LRANGE', 'none', '0', '-1'), []);
    const before = redis.pid;
    await redis.restart();
    assert.is.not(redis.pid, before);
    assert.is(await redis.command('GET', 'k'), null);
  });

  test('reports errors with its own message', async () => {
    await using redis = await startRedis(program, { args: ['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'] });
    const refused = await redis.command('SET', 'k', 'x'.repeat(2_000_000)).catch((error: Error) => error.message);
    const again = await redis.command('SET', 'k', 'y').catch((error: Error) => error.message);
    assert.match(`${refused} ${again}`, /OOM/);
  });

  test('when killed or paused it does not answer; when resumed it does', async () => {
    await using redis = await startRedis(program);
    await redis.command('SET', 'k', 'kept');
    const state = (): string | undefined => / (.) /.exec(readFileSync(`/proc/${redis.pid}/stat`, 'utf8'))?.[1];
    redis.pause();
    await eventually('it stands still', () => state() === 'T', { seen: state });
    const answer = redis.command('GET', 'k');
    redis.resume();
    assert.is(await answer, 'kept');
    await redis.kill();
    await eventually('the connection is refused', () =>
      redis.command('PING').then(
        () => false,
        () => true,
      ),
    );
  });
}

test.run();
