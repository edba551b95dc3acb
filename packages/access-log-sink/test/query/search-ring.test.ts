/** Searches of the log. */
import { assert, test } from '@meshrelay/testing';
import type { LogQuery } from '../../src/query/log-query.ts';
import { request, type TestSink, testSink, workload } from '../support/sinks.ts';

const T = 1_795_300_000_000;

/** productpage calls reviews; both report it. */
function bookinfo(): TestSink {
  const fixture = testSink();
  const call = { downstreamRemoteAddress: '10.0.0.1:5000', upstreamRemoteAddress: '10.0.0.2:9080' };
  fixture.send(
    '10.0.0.1',
    [
      request('/reviews/1?full', 200, { ...call, startTime: T + 1 }),
      request('/reviews/2', 503, { ...call, startTime: T + 3, method: 'POST' }),
      { kind: 'tcp', startTime: T + 4, receivedBytes: 7, intermediate: true },
      { kind: 'tcp', startTime: T + 5, receivedBytes: 9 },
    ],
    'outbound',
  );
  fixture.send('10.0.0.2', [request('/reviews/1?full', 200, { ...call, startTime: T + 2 })]);
  fixture.send('10.9.9.9', [request('/who', 404, { startTime: T + 9 })]);
  return fixture;
}

async function found(query: LogQuery, fixture = bookinfo()): Promise<number[]> {
  const { entries } = await fixture.sink.search(query);
  return entries.map(({ fields }) => (fields.startTime ?? 0) - T);
}

const REQUESTED: ReadonlyArray<readonly [string, LogQuery, number[]]> = [
  ['everything, oldest first, without what is repeated', {}, [1, 2, 3, 5, 9]],
  ['what is repeated too', { intermediate: true }, [1, 2, 3, 4, 5, 9]],
  ['by workload', { workload: { name: 'productpage' } }, [1, 3, 5]],
  ['by all of a workload', { workload: workload('reviews') }, [2]],
  ['by another cluster', { workload: { cluster: 'cluster-2' } }, []],
  ['by source', { source: { name: 'productpage' } }, [1, 2, 3, 5]],
  ['by destination', { destination: { name: 'reviews' } }, [1, 2, 3]],
  [
    'by ranges of the status',
    {
      status: [
        [404, 404],
        [500, 599],
      ],
    },
    [3, 9],
  ],
  ['by exact path, without its query', { path: { exact: '/reviews/1' } }, [1, 2]],
  ['by the beginning of the path', { path: { prefix: '/reviews/' } }, [1, 2, 3]],
  ['by method', { method: 'POST' }, [3]],
  ['by kind', { kind: 'tcp' }, [5]],
  ['by time', { since: T + 2, until: T + 5 }, [2, 3]],
  ['by several', { workload: { name: 'productpage' }, status: [[200, 299]], method: 'GET' }, [1]],
];

for (const [what, query, expected] of REQUESTED) test(what, async () => assert.equal(await found(query), expected));

test('an answer is bounded in bytes: the newest that fit, and at least one', async () => {
  const { sink, send } = testSink();
  const long = 'x'.repeat(1_000);
  for (let at = 0; at < 50; at++) send('10.0.0.1', [request(`/${at}/${long}`, 200, { startTime: T + at })]);
  const { entries, more } = await sink.search({}, { bytes: 5_000 });
  assert.equal(
    entries.map(({ fields }) => fields.startTime),
    [T + 46, T + 47, T + 48, T + 49],
  );
  assert.ok(more);
  const one = await sink.search({}, { bytes: 10 });
  assert.is(one.entries.length, 1);
});

test('above the limit, the newest are returned', async () => {
  const { sink } = bookinfo();
  const { entries, more } = await sink.search({}, { limit: 2 });
  assert.equal(
    entries.map(({ fields }) => fields.path),
    [undefined, '/who'],
  );
  assert.ok(more);
  assert.not((await sink.search({}, { limit: 5 })).more);
});

test('the newest are returned from many pages', async () => {
  const { sink, send } = testSink();
  for (let at = 0; at < 5_000; at++)
    send(`10.1.0.${at % 5}`, [request('/a', 200, { startTime: T + ((at * 7919) % 5_000) })]);
  const { entries } = await sink.search({}, { limit: 3 });
  assert.equal(
    entries.map(({ fields }) => (fields.startTime ?? 0) - T),
    [4_997, 4_998, 4_999],
  );
});

test('source and destination are found by SPIFFE id before the address', async () => {
  const { sink, send } = testSink();
  send(
    '10.0.0.2',
    [
      request('/in', 200, {
        peerPrincipal: 'spiffe://td/ns/bookinfo/sa/ratings',
        downstreamRemoteAddress: '10.0.0.1:1',
      }),
    ],
    'als',
  );
  send('10.0.0.1', [request('/out', 200, { customTags: { up_san: 'spiffe://td/ns/bookinfo/sa/details' } })], 'als');
  const { entries } = await sink.search({});
  const ends = entries.map(({ source, destination, direction }) => [direction, source?.name, destination?.name]);
  assert.equal(ends, [
    ['outbound', 'productpage', 'details'],
    ['inbound', 'ratings', 'reviews'],
  ]);
});

test('an aborted search ends with the reason', async () => {
  const { sink } = bookinfo();
  const reason = new Error('the client has left');
  const ended = await sink.search({}, { signal: AbortSignal.abort(reason) }).catch((error: unknown) => error);
  assert.is(ended, reason);
});

test.run();
