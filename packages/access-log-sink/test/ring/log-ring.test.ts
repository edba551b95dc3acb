/** The ring is bounded, counts evicted entries, and lets no source take the room of others. */
import { Buffer } from 'node:buffer';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { KEEP_ALL } from '../../src/filter/compiled-rules.ts';
import { LogRing } from '../../src/ring/log-ring.ts';
import { CLUSTER } from '../support/sinks.ts';

const reporter = (address: string) => ({
  address,
  cluster: CLUSTER,
  workload: undefined,
  node: { id: '', cluster: '' },
  logName: '',
});

/** Content of the ring, oldest first, by source. */
function contents(ring: LogRing): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { page, until } of ring.pages().reverse()) {
    const { address } = page.reporter;
    found[address] ??= [];
    page.visit(until, (_, bytes, from, to) => found[address]?.push(bytes.toString('latin1', from, to)));
  }
  return found;
}

test('entries are returned as they were added, whatever their kind and size', () => {
  const ring = new LogRing();
  const writer = ring.writer(reporter('a'), KEEP_ALL);
  const sizes = [0, 1, 5_000, 20_000, 3, 65_532];
  const bytes = Buffer.alloc(70_000, 'x');
  for (const [at, size] of sizes.entries()) assert.ok(writer.add(at % 2 === 0 ? 'http' : 'tcp', bytes, 0, size));
  const found: unknown[] = [];
  for (const { page, until } of ring.pages().reverse())
    page.visit(until, (kind, _, from, to) => found.push([kind, to - from]));
  assert.equal(
    found,
    sizes.map((size, at) => [at % 2 === 0 ? 'http' : 'tcp', size]),
  );
  assert.not(writer.add('http', bytes, 0, 65_533), 'one that is too large is not kept');
  assert.is(ring.counts.entries, sizes.length);
});

test('it stays within its bounds, and every entry is stored or counted', () => {
  const sends = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(3_000)), { maxLength: 400 });
  fc.assert(
    fc.property(sends, fc.integer({ min: 1, max: 60 }), (all, max) => {
      const limits = { bytes: 64 * 1024, entries: max, entryBytes: 8_192 };
      const ring = new LogRing(limits);
      const writers = new Map(
        ['a', 'b', 'c', 'd'].map((address) => [address, ring.writer(reporter(address), KEEP_ALL)]),
      );
      const bytes = Buffer.alloc(3_000);
      for (const [address, size] of all) assert.ok(writers.get(address)?.add('http', bytes, 0, size));
      const { entries, evicted, bytes: used } = ring.counts;
      assert.is(entries + evicted, all.length);
      assert.is(Object.values(contents(ring)).flat().length, entries);
      // The page being written is never taken from its writer.
      assert.ok(used <= limits.bytes + 16 * 1024 + 256, `${used} bytes`);
    }),
    { numRuns: scaledRuns(200) },
  );
});

test('the oldest entries of a source are evicted first', () => {
  const ring = new LogRing({ bytes: 40_000 });
  const writer = ring.writer(reporter('a'), KEEP_ALL);
  for (let at = 0; at < 100; at++) writer.add('http', Buffer.from(`${at}`.padEnd(1_000)), 0, 1_000);
  const retained = (contents(ring)['a'] ?? []).map(Number);
  assert.is(retained.at(-1), 99);
  assert.equal(
    retained,
    Array.from({ length: retained.length }, (_, at) => 100 - retained.length + at),
  );
});

test('a flood evicts its own entries, not those of quiet sources', () => {
  const ring = new LogRing({ bytes: 256 * 1024 });
  const quiet = Array.from({ length: 20 }, (_, at) => ring.writer(reporter(`quiet-${at}`), KEEP_ALL));
  for (const writer of quiet) for (let at = 0; at < 5; at++) writer.add('http', Buffer.alloc(300, `${at}`), 0, 300);
  const flood = ring.writer(reporter('flood'), KEEP_ALL);
  for (let at = 0; at < 20_000; at++) flood.add('http', Buffer.alloc(300), 0, 300);
  const found = contents(ring);
  for (let at = 0; at < 20; at++) assert.is(found[`quiet-${at}`]?.length, 5);
  assert.ok(ring.counts.evicted > 19_000);
});

test('a flood from many streams of one source is one flood', () => {
  const ring = new LogRing({ bytes: 128 * 1024 });
  ring.writer(reporter('quiet'), KEEP_ALL).add('http', Buffer.from('here'), 0, 4);
  for (let stream = 0; stream < 200; stream++) {
    const writer = ring.writer(reporter('flood'), KEEP_ALL);
    for (let at = 0; at < 10; at++) writer.add('http', Buffer.alloc(1_000), 0, 1_000);
  }
  assert.equal(contents(ring)['quiet'], ['here']);
});

test('an evicted page accepts no more, and later entries of its stream are stored', () => {
  const ring = new LogRing({ bytes: 20_000 });
  const slow = ring.writer(reporter('slow'), KEEP_ALL);
  slow.add('http', Buffer.from('old'), 0, 3);
  for (let at = 0; at < 30; at++) ring.writer(reporter(`other-${at}`), KEEP_ALL).add('http', Buffer.alloc(900), 0, 900);
  assert.is(contents(ring)['slow'], undefined);
  slow.add('http', Buffer.from('new'), 0, 3);
  assert.equal(contents(ring)['slow'], ['new']);
});

test('a flood takes no memory beyond the bound, however long it lasts', () => {
  const limits = { bytes: 1024 * 1024 };
  const ring = new LogRing(limits);
  const writers = Array.from({ length: 8 }, () => ring.writer(reporter('flood'), KEEP_ALL));
  const entry = Buffer.alloc(450, 'x');
  const pour = (entries: number): void => {
    for (let at = 0; at < entries; at++) writers[at % writers.length]?.add('http', entry, 0, entry.length);
  };
  pour(10_000);
  const full = ring.allocated;
  // Small first pages are evicted once; their replacements are all that is ever allocated.
  assert.ok(full <= limits.bytes + 8 * 32 * 1024, `${full} bytes`);
  pour(200_000);
  assert.is(ring.allocated, full);
  assert.is(ring.counts.entries + ring.counts.evicted, 210_000);
  assert.ok(ring.counts.bytes <= limits.bytes);
});

test('memory of a page that is being read is not written to again', () => {
  const ring = new LogRing({ bytes: 256 * 1024 });
  const writer = ring.writer(reporter('a'), KEEP_ALL);
  const send = (text: string, times: number): void => {
    const bytes = Buffer.from(text.padEnd(1000, '.'));
    for (let at = 0; at < times; at++) writer.add('http', bytes, 0, bytes.length);
  };
  send('before', 1000);
  const pages = ring.pages();
  const before = ring.allocated;
  send('after', 1000);
  const read: string[] = [];
  for (const { page, until } of pages)
    page.visit(until, (_, bytes, from, to) => read.push(bytes.toString('latin1', from, to).slice(0, 6)));
  assert.ok(read.length > 200);
  assert.ok(read.every((text) => text === 'before'));
  send('later', 1000);
  assert.ok(ring.allocated - before <= 2 * 256 * 1024, 'what was lent is replaced once');
});

test('new entries do not disturb a reader', () => {
  const ring = new LogRing({ bytes: 20_000 });
  const writer = ring.writer(reporter('a'), KEEP_ALL);
  writer.add('http', Buffer.from('first'), 0, 5);
  const pages = ring.pages();
  for (let at = 0; at < 1_000; at++) writer.add('http', Buffer.alloc(500), 0, 500);
  const read: string[] = [];
  for (const { page, until } of pages)
    page.visit(until, (_, bytes, from, to) => read.push(bytes.toString('latin1', from, to)));
  assert.equal(read, ['first']);
});

test.run();
