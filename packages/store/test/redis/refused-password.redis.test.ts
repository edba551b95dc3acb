/**
 * A password that Redis rejects is reported with Redis' own message, at the start and while running, so that the log
 * shows the cause.
 */
import { assert, eventually, test } from '@meshrelay/testing';
import { redisProgram, startRedis } from '@meshrelay/testing/redis';
import { redisConnector } from '../../src/mod.ts';
import { settings, storeOn, type TestStore, untilConnected, untilDown } from './support.ts';

const program = await redisProgram();

const lastWords = ({ events }: TestStore): string => {
  const event = events.findLast(({ type }) => type === 'disconnected');
  return event?.type === 'disconnected' ? event.error.message : '';
};

if (program === undefined) console.log('no redis-server: nothing is tried');
else {
  test('a password that is changed while running: the log says WRONGPASS', async () => {
    await using redis = await startRedis(program, {});
    await redis.command('ACL', 'SETUSER', 'meshrelay', 'on', '>first', '~*', '&*', '+@all');
    const connect = redisConnector({ ...settings(redis), username: 'meshrelay', password: 'first' });
    await using a = await storeOn(redis, { connect });
    await untilConnected(a);
    await redis.command('ACL', 'SETUSER', 'meshrelay', 'resetpass', '>second');
    await redis.command('CLIENT', 'KILL', 'USER', 'meshrelay');
    await untilDown(a);
    await eventually('it to be named', () => lastWords(a).includes('WRONGPASS'), { seen: () => a.events });
  });

  test('no password although Redis requires one, from the start: reported as NOAUTH, once', async () => {
    await using redis = await startRedis(program, {});
    await redis.command('ACL', 'SETUSER', 'default', 'resetpass', '>second');
    await using a = await storeOn(redis, { timeoutMs: 100 });
    await eventually('it to be named', () => lastWords(a).includes('NOAUTH'), { seen: () => a.events });
    const words = a.events.map((event) => (event.type === 'disconnected' ? event.error.message : event.type));
    assert.equal(words, [...new Set(words)]);
  });

  test('a wrong password at the start: the error says WRONGPASS', async () => {
    await using redis = await startRedis(program, {});
    const connect = redisConnector({ ...settings(redis), username: 'meshrelay', password: 'wrong' });
    const words = await connect()
      .then((connection) => connection.call('PING', []).finally(() => connection.close()))
      .then(String, ({ message }: Error) => message);
    assert.match(words, 'WRONGPASS');
  });
}

test.run();
