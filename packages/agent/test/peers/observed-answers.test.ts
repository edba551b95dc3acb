/** Answers of a replica to the leader (T27): validated queries, entries that it received, at the rate of the reader. */
import type { LogBatch } from '@meshrelay/relay-protocol';
import { assert, eventually, test } from '@meshrelay/testing';
import { loggingReplica } from '../harness/logging-replica.ts';
import { peerOf, servePeer } from '../harness/peers.ts';
import { Reading } from '../harness/reading.ts';

const forever = new AbortController().signal;
const search = { query: {}, limit: 10 };

async function problemOf(answers: AsyncIterable<unknown>): Promise<string> {
  try {
    for await (const _ of answers);
  } catch (error) {
    return (error as Error).message;
  }
  return 'no problem';
}

test('the leader gets the entries that another replica received', async () => {
  const { observer, send } = loggingReplica('agent-1');
  send({ path: '/a' }, { path: '/b' });
  const { server, peer } = await servePeer('agent-1', observer);
  await using _ = server;
  const batches: LogBatch[] = [];
  for await (const batch of peerOf(peer).ask('logs.search', search, forever)) batches.push(batch);
  assert.equal(
    batches.flatMap(({ entries }) => entries.map(({ path }) => path)),
    ['/a', '/b'],
  );
  assert.equal(batches.at(-1)?.replicas, [{ replica: 'agent-1' }]);
});

test('a query is validated before it is answered', async () => {
  const { server, peer } = await servePeer('agent-1', loggingReplica('agent-1').observer);
  await using _ = server;
  const ask = (method: string, given: object): Promise<string> =>
    problemOf(peerOf(peer).ask(method as 'logs.search', given as typeof search, forever));
  assert.match(
    await ask('logs.search', { query: { statusCode: 1 }, limit: 1 }),
    /400.*logs\.search: query.*statusCode/,
  );
  assert.match(await ask('logs.search', { query: {}, limit: 1e9 }), /400.*limit/);
  assert.match(await ask('agent.state', {}), /404/);
});

test('a tail continues until its reader leaves, and then ends on the replica too', async () => {
  const { observer, send } = loggingReplica('agent-1');
  const { server, peer } = await servePeer('agent-1', observer);
  await using _ = server;
  {
    await using reading = new Reading((signal) => peerOf(peer).ask('logs.tail', { query: {}, history: 0 }, signal));
    await reading.until('it answers', ({ replicas }) => replicas.length === 1);
    send({ path: '/a' });
    await reading.until('it is there', ({ paths }) => paths.length === 1);
    assert.is(server.calls, 1);
  }
  await eventually('it has ended there', () => server.calls === 0);
});

test('a leader that does not read costs the replica at most the queue limit', async () => {
  const { observer, send } = loggingReplica('agent-1', { allowance: { perSecond: 1e6, burst: 1e6 } });
  const { server, peer } = await servePeer('agent-1', observer);
  await using _ = server;
  const stop = new AbortController();
  const batches = peerOf(peer).ask('logs.tail', { query: {}, history: 0 }, stop.signal)[Symbol.asyncIterator]();
  await batches.next();
  const path = `/${'x'.repeat(4_000)}`;
  const sent = 15_000;
  for (let at = 0; at < sent; at += 100) {
    send(...Array.from({ length: 100 }, () => ({ path })));
    // Gives the writer a turn, until the connection accepts no more.
    if (at % 1_000 === 0) await new Promise((resume) => setImmediate(resume));
  }
  let [announced, lost] = [0, 0];
  while (announced + lost < sent) {
    const { value } = await batches.next();
    announced += value?.entries.length ?? 0;
    lost += value?.lost ?? 0;
  }
  assert.is(announced + lost, sent);
  assert.ok(lost > 5_000, `${lost} of ${sent} were lost`);
  stop.abort();
  assert.is.not(await batches.next().then(() => 'no problem', String), 'no problem');
});

test.run();
