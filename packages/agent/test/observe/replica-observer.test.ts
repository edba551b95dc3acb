/** Answers of one replica: searches, tails and edges. */
import { Buffer } from 'node:buffer';
import type { LogBatch } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { loggingReplica } from '../harness/logging-replica.ts';
import { Reading } from '../harness/reading.ts';

const forever = new AbortController().signal;

async function all(batches: AsyncIterable<LogBatch>): Promise<LogBatch[]> {
  const seen: LogBatch[] = [];
  for await (const batch of batches) seen.push(batch);
  return seen;
}

test('a search answers in batches that fit the relay, and reports which replica answered', async () => {
  const { observer, send, counted } = loggingReplica('agent-0');
  for (let at = 0; at < 300; at++) send({ path: `/${at}/${'x'.repeat(1_000)}`, at });
  const batches = await all(observer.ask('logs.search', { query: {}, limit: 250 }, forever));
  assert.equal(batches.at(-1), { entries: [], replicas: [{ replica: 'agent-0' }], more: true });
  assert.ok(batches.length > 4);
  for (const batch of batches) assert.ok(JSON.stringify(batch).length < 128 * 1024);
  const entries = batches.flatMap((batch) => batch.entries);
  assert.is(entries.length, 250);
  assert.is(String(entries[0]?.['path']).slice(0, 4), '/50/');
  assert.equal(entries[0]?.['destination'], { name: 'reviews', namespace: 'bookinfo', cluster: 'cluster-1' });
  assert.equal(counted, { sent: 250, lost: 0 });
});

test('a tail begins with earlier entries, and sends nothing twice', async () => {
  const { observer, send, sink } = loggingReplica('agent-0');
  send({ path: '/before' }, { path: '/broken', status: 503 });
  {
    await using reading = new Reading((signal) =>
      observer.ask('logs.tail', { query: { status: [[500, 599]] }, history: 10 }, signal),
    );
    await reading.until('it answers', ({ replicas }) => replicas.length === 1);
    send({ path: '/after', status: 500 }, { path: '/well' });
    await reading.until('both are there', ({ paths }) => paths.length === 2);
    assert.equal(reading.paths, ['/broken', '/after']);
  }
  send({ path: '/later', status: 500 });
  assert.is(sink.counts.retained, 5);
});

test('dropped entries are reported with the entries', async () => {
  const { observer, send } = loggingReplica('agent-0', { allowance: { perSecond: 1, burst: 3 } });
  await using reading = new Reading((signal) => observer.ask('logs.tail', { query: {}, history: 0 }, signal));
  await reading.until('it answers', ({ replicas }) => replicas.length === 1);
  send({ path: '/1' }, { path: '/2' }, { path: '/3' }, { path: '/4' }, { path: '/5' });
  await reading.until('it says so', ({ replicas }) => replicas.at(-1)?.dropped === 2);
  assert.equal(reading.paths, ['/1', '/2', '/3']);
});

test('a slow reader loses the oldest entries, and receives their number', async () => {
  const { observer, send, counted } = loggingReplica('agent-0');
  const stop = new AbortController();
  const batches = observer.ask('logs.tail', { query: {}, history: 0 }, stop.signal)[Symbol.asyncIterator]();
  await batches.next();
  for (let at = 0; at < 5_000; at++) send({ path: `/${at}` });
  let [sent, lost] = [0, 0];
  while (sent + lost < 5_000) {
    const { value } = await batches.next();
    sent += value?.entries.length ?? 0;
    lost += value?.lost ?? 0;
  }
  assert.is(sent, 2_000);
  assert.is(lost, 3_000);
  assert.equal(counted, { sent, lost });
  stop.abort();
  assert.ok((await batches.next()).done);
});

test('an entry that is larger than a batch is counted as lost', async () => {
  const { observer, send } = loggingReplica('agent-0', { ring: { entryBytes: 2 ** 20 } });
  send({ path: '/small' }, { path: `/${'x'.repeat(200_000)}` });
  const batches = await all(observer.ask('logs.search', { query: {}, limit: 10 }, forever));
  assert.equal(
    batches.map(({ entries, lost }) => [entries.length, lost]),
    [
      [1, 1],
      [0, undefined],
    ],
  );
});

test('batches are measured in bytes: non-ASCII text stays within the limit of the relay', async () => {
  const { observer, send } = loggingReplica('agent-0', { ring: { entryBytes: 2 ** 20 } });
  for (let at = 0; at < 10; at++) send({ path: `/${'\uffff'.repeat(20_000)}`, at });
  const batches = await all(observer.ask('logs.search', { query: {}, limit: 10 }, forever));
  assert.is(batches.flatMap(({ entries }) => entries).length, 10);
  for (const batch of batches) assert.ok(Buffer.byteLength(JSON.stringify(batch)) < 192 * 1024);
});

test('edges are sent as counted, in several parts', async () => {
  const { observer, send } = loggingReplica('agent-0');
  send({ path: '/' }, { path: '/', status: 503 });
  const seen = [];
  for await (const batch of observer.ask('traffic.edges', {}, forever)) seen.push(batch);
  assert.is(seen.length, 2);
  const [first, last] = seen;
  assert.is(first?.epoch, 'agent-0-1');
  assert.is(first?.at, 1_000);
  assert.equal(first?.edges[0]?.responses, { '2xx': 1, '5xx': 1 });
  assert.equal([first?.edges[0]?.source?.name, first?.edges[0]?.destination?.name], ['productpage', 'reviews']);
  assert.is(first?.edges[0]?.durations.count, 2);
  assert.equal(last?.replicas, [{ replica: 'agent-0' }]);
});

test.run();
