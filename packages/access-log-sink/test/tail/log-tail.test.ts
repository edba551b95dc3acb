/** A reader receives all entries, or the number of those it lost. */
import { assert, test } from '@meshrelay/testing';
import type { AccessLogEntry } from '../../src/entry/access-log-entry.ts';
import { request, testSink } from '../support/sinks.ts';

const paths = (entries: readonly AccessLogEntry[]): (string | undefined)[] => entries.map(({ fields }) => fields.path);

test('entries that match the query arrive in order, with the fields that rules show', async () => {
  const { sink, send } = testSink();
  using tail = sink.tail({ status: [[500, 599]] });
  send('10.0.0.1', [request('/a', 503), request('/b'), request('/c', 500)]);
  send('10.0.0.2', [request('/d', 599)]);
  const batch = await tail.next();
  assert.equal(paths(batch?.entries ?? []), ['/a', '/c', '/d']);
  assert.is(batch?.lost, 0);
  assert.equal(
    batch?.entries.map(({ reporter }) => reporter.workload?.name),
    ['productpage', 'productpage', 'reviews'],
  );
});

test('a slow reader keeps the newest, and delivered + lost is all that was sent', async () => {
  const { sink, send } = testSink();
  using tail = sink.tail({}, { capacity: 10 });
  for (let at = 0; at < 25; at++) send('10.0.0.1', [request(`/${at}`)]);
  const batch = await tail.next();
  assert.equal(
    paths(batch?.entries ?? []),
    Array.from({ length: 10 }, (_, at) => `/${15 + at}`),
  );
  assert.is(batch?.lost, 15);
  assert.equal(tail.counts, { delivered: 10, lost: 15, waiting: 0 });
  assert.is(sink.counts.retained, 25, 'nothing was held up');
});

test('waiting entries are limited in bytes too; one that is larger than the limit comes alone', async () => {
  const { sink, send } = testSink();
  using tail = sink.tail({}, { bytes: 2_000 });
  const long = 'x'.repeat(900);
  for (let at = 0; at < 5; at++) send('10.0.0.1', [request(`/${at}${long}`)]);
  const first = await tail.next();
  assert.equal(
    paths(first?.entries ?? []).map((path) => path?.slice(0, 2)),
    ['/3', '/4'],
  );
  assert.is(first?.lost, 3);
  send('10.0.0.1', [request('/small'), request(`/large${'x'.repeat(5_000)}`)]);
  const second = await tail.next();
  assert.is(second?.entries.length, 1);
  assert.is(second?.lost, 1);
  assert.equal(tail.counts, { delivered: 3, lost: 4, waiting: 0 });
});

test('a waiting reader is woken, and the end of the tail ends the waiting', async () => {
  const { sink, send } = testSink();
  const tail = sink.tail({});
  const first = tail.next();
  send('10.0.0.1', [request('/a')]);
  assert.equal(paths((await first)?.entries ?? []), ['/a']);
  const none = tail.next();
  tail[Symbol.dispose]();
  assert.is(await none, undefined);
  send('10.0.0.1', [request('/b')]);
  assert.is(tail.counts.waiting, 0, 'an ended tail takes nothing');
});

test('leaving the loop ends the tail', async () => {
  const { sink, send } = testSink();
  const tail = sink.tail({});
  send('10.0.0.1', [request('/a'), request('/b')]);
  for await (const { entries } of tail) {
    assert.is(entries.length, 2);
    break;
  }
  send('10.0.0.1', [request('/c')]);
  assert.equal(tail.counts, { delivered: 2, lost: 0, waiting: 0 });
});

test('the end of the sink ends its tails', async () => {
  const { sink } = testSink();
  const waiting = sink.tail({}).next();
  sink[Symbol.dispose]();
  assert.is(await waiting, undefined);
});

test('only the requested fields are decoded', async () => {
  const { sink, send } = testSink();
  using tail = sink.tail({}, { fields: ['path'] });
  send('10.0.0.1', [request('/a', 200, { userAgent: 'curl' })]);
  const fields = (await tail.next())?.entries[0]?.fields;
  assert.is(fields?.path, '/a');
  assert.is(fields?.userAgent, undefined);
});

test.run();
