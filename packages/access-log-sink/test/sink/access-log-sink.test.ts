/** Every entry is accounted for, whatever its sender and content. */
import { Buffer } from 'node:buffer';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { WorkloadRef } from '../../src/attribution/reporter.ts';
import { compileRules, KEEP_NONE } from '../../src/filter/compiled-rules.ts';
import { alsMessage } from '../support/als-message.ts';
import { entries as anyEntries } from '../support/arbitrary-entries.ts';
import { ATTRIBUTION, request, testSink, workload } from '../support/sinks.ts';
import * as w from '../support/wire-writer.ts';

const ERRORS_ONLY = compileRules([
  {
    name: 'errors',
    filters: [{ statusCodeMatcher: { value: 500, comparator: 'GE' } }],
    includedRequestHeaders: ['x-team'],
    includedResponseHeaders: [],
    includedResponseTrailers: [],
    includedFilterStateObjects: [],
  },
]);

function balanced({ sink }: ReturnType<typeof testSink>, sent: number): void {
  const { received, retained, filtered, dropped, ring } = sink.counts;
  assert.is(received, sent);
  assert.is(retained + filtered + dropped.rate + dropped.malformed + dropped.oversized, received);
  assert.is(ring.entries + ring.evicted, retained);
}

test('received entries are retained, filtered or dropped; those that a tail does not deliver are counted as lost', () => {
  const sends = fc.array(fc.tuple(fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3'), anyEntries), { maxLength: 30 });
  fc.assert(
    fc.property(sends, fc.boolean(), (all, filtered) => {
      const fixture = testSink({
        ring: { entries: 20, bytes: 30_000, entryBytes: 2_000 },
        allowance: { perSecond: 1, burst: 30 },
        ...(filtered && { rulesFor: () => ERRORS_ONLY }),
      });
      using tail = fixture.sink.tail({ intermediate: true }, { capacity: 5 });
      let sent = 0;
      for (const [address, entries] of all) {
        fixture.send(address, entries);
        sent += entries.length;
      }
      balanced(fixture, sent);
      const { delivered, lost, waiting } = tail.counts;
      assert.is(delivered + lost + waiting, fixture.sink.counts.retained);
    }),
    { numRuns: scaledRuns(150) },
  );
});

test('rules decide which entries are retained and which headers are shown', async () => {
  const fixture = testSink({ rulesFor: ({ workload: of }) => (of?.name === 'reviews' ? ERRORS_ONLY : KEEP_NONE) });
  const headers = { requestHeaders: { 'x-team': 'blue', cookie: 'secret' } };
  fixture.send('10.0.0.2', [request('/ok', 200, headers), request('/bad', 500, headers)]);
  fixture.send('10.0.0.1', [request('/bad', 500)]);
  const { entries } = await fixture.sink.search({});
  assert.equal(
    entries.map(({ fields }) => [fields.path, { ...fields.requestHeaders }]),
    [['/bad', { 'x-team': 'blue' }]],
  );
  assert.is(fixture.sink.counts.filtered, 2);
  balanced(fixture, 3);
});

test('a sender with a new identity in each message takes no more memory, and keeps its first one', async () => {
  const { sink, sendBytes } = testSink();
  const claims = Array.from({ length: 200 }, (_, at) => ({ node: `node-${at}`, logName: 'inbound' }));
  for (const claim of claims) sendBytes('10.0.0.2', alsMessage([request('/a')], claim));
  assert.ok(sink.counts.ring.bytes < 64 * 1024, `${sink.counts.ring.bytes} bytes`);
  const { entries } = await sink.search({});
  assert.equal([...new Set(entries.map(({ reporter }) => reporter.node.id))], ['node-0']);
});

test('an entry is attributed by source address, whatever the caller claims to be', async () => {
  const { sink, sendBytes } = testSink();
  sendBytes(
    '10.0.0.2',
    alsMessage([request('/a')], { node: 'sidecar~10.0.0.1~productpage', cluster: 'productpage', logName: 'inbound' }),
  );
  const [entry] = (await sink.search({})).entries;
  assert.equal(entry?.reporter, {
    address: '10.0.0.2',
    cluster: 'cluster-1',
    workload: workload('reviews'),
    node: { id: 'sidecar~10.0.0.1~productpage', cluster: 'productpage' },
    logName: 'inbound',
  });
});

test('a pod that becomes known, or changes, is reported from then on', async () => {
  let at: WorkloadRef | undefined;
  const { sink, send } = testSink({ attribution: { ...ATTRIBUTION, workloadAt: () => at } });
  send('10.0.0.5', [request('/1')]);
  at = workload('a');
  send('10.0.0.5', [request('/2')]);
  at = { ...workload('a') };
  send('10.0.0.5', [request('/3')]);
  at = workload('b');
  send('10.0.0.5', [request('/4')]);
  const { entries } = await sink.search({});
  assert.equal(entries.map(({ fields, reporter }) => `${fields.path} ${reporter.workload?.name}`).sort(), [
    '/1 undefined',
    '/2 a',
    '/3 a',
    '/4 b',
  ]);
});

test('a truncated message is rejected; entries before and after it are accepted', async () => {
  const fixture = testSink();
  const good = alsMessage([request('/good')]);
  assert.throws(
    () => fixture.sendBytes('10.0.0.1', Buffer.concat([good, Buffer.of(0x12, 0x7f)])),
    /127 bytes are announced, 0 are left/,
  );
  fixture.sendBytes('10.0.0.1', good);
  assert.is(fixture.sink.counts.brokenMessages, 1);
  assert.is((await fixture.sink.search({})).entries.length, 2);
  balanced(fixture, 2);
});

test('one corrupt entry affects only itself, whenever it is decoded', async () => {
  const broken = w.message(
    2,
    w.bytes(1, w.message(4, w.bytes(1, w.tag(1, 2)))),
    w.bytes(1, w.message(4, w.message(1, w.number(1, 500)))),
  );
  const looking = testSink({ rulesFor: () => ERRORS_ONLY });
  looking.sendBytes('10.0.0.1', broken);
  assert.is(looking.sink.counts.dropped.malformed, 1);
  assert.is((await looking.sink.search({})).entries.length, 1);
  balanced(looking, 2);
  const keeping = testSink();
  keeping.sendBytes('10.0.0.1', broken);
  assert.is((await keeping.sink.search({})).entries.length, 1, 'the broken message adds no entry');
  balanced(keeping, 2);
});

test('a source that sends more than its allowance is only counted; others are not affected', () => {
  let now = 0;
  const fixture = testSink({ allowance: { perSecond: 10, burst: 10 }, now: () => now });
  const flood = Array.from({ length: 1_000 }, () => request('/flood'));
  fixture.send('10.0.0.1', flood);
  fixture.send('10.0.0.2', [request('/calm')]);
  assert.is(fixture.sink.counts.dropped.rate, 990);
  fixture.close('10.0.0.1');
  fixture.send('10.0.0.1', flood);
  assert.is(fixture.sink.counts.dropped.rate, 1_990, 'a new connection buys nothing');
  now = 1_000;
  fixture.send('10.0.0.1', flood);
  assert.is(fixture.sink.counts.dropped.rate, 2_980);
  balanced(fixture, 3_001);
});

test('a source is limited in its streams, and may open another when it closes one', () => {
  const { sink } = testSink({ streamsPerSource: 2 });
  const first = sink.openStream('10.0.0.1:1');
  assert.ok(sink.openStream('10.0.0.1:2'));
  assert.is(sink.openStream('10.0.0.1:3'), undefined);
  assert.ok(sink.openStream('10.0.0.2:1'));
  first?.close();
  first?.close();
  assert.ok(sink.openStream('10.0.0.1:4'));
  assert.is(sink.counts.streams, 3);
});

test('observers receive every entry, retained or not', () => {
  const heard: unknown[] = [];
  const { send } = testSink({
    rulesFor: () => KEEP_NONE,
    observers: [{ needs: ['status'], observe: ({ status }, { workload: of }) => heard.push([status, of?.name]) }],
  });
  send('10.0.0.1', [request('/a', 200), request('/b', 500)]);
  assert.equal(heard, [
    [200, 'productpage'],
    [500, 'productpage'],
  ]);
});

test.run();
