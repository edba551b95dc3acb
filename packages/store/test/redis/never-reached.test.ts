/** A store that has never reached Redis reports so once, with the reason. */
import { assert, eventually, test } from '@meshrelay/testing';
import { isConnected, storeOn } from './support.ts';

test('the first failure is reported although no connection was lost, and is not repeated', async () => {
  let tried = 0;
  await using one = await storeOn(
    { port: 0 },
    {
      timeoutMs: 0,
      connect: async () => {
        tried += 1;
        throw new Error('WRONGPASS invalid username-password pair');
      },
    },
  );
  // Two loops try, each over a connection of its own.
  await eventually('it has tried again', () => tried > 3);
  assert.is(isConnected(one), false);
  const sent = one.events.map((event) => (event.type === 'disconnected' ? event.error.message : event.type));
  assert.equal(sent, ['WRONGPASS invalid username-password pair']);
});

test.run();
