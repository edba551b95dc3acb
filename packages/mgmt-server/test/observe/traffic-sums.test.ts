/** Sums of histograms and edges over replicas and clusters. */
import { assert, test } from '@meshrelay/testing';
import * as fc from 'fast-check';
import { growth, type Histogram, quantileOf, sumOf } from '../../src/observe/histogram.ts';
import { type EdgeRates, TrafficSample } from '../../src/observe/traffic-sample.ts';
import { TrafficSums } from '../../src/observe/traffic-sums.ts';

const BOUNDS = [10, 20, 50, 100];
const of = (...durations: readonly number[]): Histogram => ({
  bounds: BOUNDS,
  counts: BOUNDS.map((bound) => durations.filter((each) => each <= bound).length),
  count: durations.length,
});
const workload = (name: string, cluster = 'c1') => ({ name, namespace: 'shop', cluster });

function rates(more: Partial<EdgeRates> = {}): EdgeRates {
  return {
    source: workload('web'),
    destination: workload('cart'),
    reporter: 'source',
    responses: { '2xx': 9, '5xx': 1 },
    durations: of(5, 15),
    ...more,
  };
}

test('a sum of histograms is the histogram of all', () => {
  const durations = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 50 });
  fc.assert(
    fc.property(durations, durations, (a, b) => {
      assert.equal(sumOf(of(...a), of(...b)), of(...a, ...b));
      assert.equal(growth(of(...a), of(...a, ...b)), of(...b));
    }),
  );
});

test('quantiles are of the sum: an average of quantiles would be far off', () => {
  const quick = of(...Array.from({ length: 98 }, () => 5));
  const slow = of(90, 90);
  const p99 = quantileOf(sumOf(quick, slow), 0.99) ?? 0;
  assert.ok(p99 > 50 && p99 <= 100, String(p99));
  assert.is(quantileOf(of(), 0.5), undefined);
  assert.is(quantileOf(of(500), 0.5), 100, 'beyond the last bound nothing is known');
});

test('counts of other bounds go to the next bound of the first histogram', () => {
  const other = { bounds: [15, 100], counts: [3, 5], count: 6 };
  assert.equal(sumOf(of(), other), { bounds: BOUNDS, counts: [0, 3, 3, 5], count: 6 });
});

test('the caller counts if both sides report, and each is summed over clusters', () => {
  const sums = new TrafficSums();
  sums.add('c1', rates());
  sums.add('c1', rates({ responses: { '2xx': 1 }, durations: of(80) }));
  sums.add('c1', rates({ reporter: 'destination', responses: { '2xx': 100 } }));
  sums.add('c2', rates({ source: workload('web', 'c2'), responses: { none: 1, tcp: 4 } }));
  const edges = sums.edges();
  assert.equal(
    edges.map(({ source, reporter, requests, success, connections }) => [
      source?.cluster,
      reporter,
      requests,
      success,
      connections,
    ]),
    [
      ['c1', 'source', 11, 1 - 1 / 11, 0],
      ['c2', 'source', 1, 0, 4],
    ],
  );
  assert.ok((edges[0]?.p99 ?? 0) > 50, 'the slow one is in it');
  const [cart] = sums.workloads();
  assert.equal([cart?.workload.name, cart?.requests, cart?.connections], ['cart', 12, 4]);
});

test('an edge never counts for another cluster than that of the credential', () => {
  const sums = new TrafficSums();
  sums.add('c2', rates());
  sums.add(
    'c2',
    rates({ reporter: 'destination', source: workload('web', 'c1'), destination: workload('cart', 'c1') }),
  );
  sums.add('c1', rates({ destination: workload('cart', 'c2') }));
  assert.is(sums.misattributed, 2);
  assert.equal(
    sums.edges().map(({ destination }) => destination?.cluster),
    ['c2'],
  );
});

test('a filter selects edges by either end, and workloads by the called end', () => {
  const sums = new TrafficSums();
  sums.add('c1', rates());
  sums.add('c1', rates({ source: workload('cart'), destination: workload('db') }));
  sums.add('c1', rates({ source: workload('cron'), destination: workload('mail') }));
  assert.is(sums.edges({ name: 'cart' }).length, 2);
  assert.equal(
    sums.workloads({ name: 'cart' }).map(({ workload: { name } }) => name),
    ['cart'],
  );
  assert.is(sums.edges({ cluster: 'c9' }).length, 0);
});

const totals = (count: number, name = 'cart') => ({
  source: workload('web'),
  destination: workload(name),
  reporter: 'source' as const,
  responses: { '2xx': count },
  durations: { counts: [0, count, count, count], count, sum: 15 * count },
});
const batch = (epoch: string, at: number, edges: ReturnType<typeof totals>[], overflowed = 0) => ({
  replica: epoch,
  epoch,
  at,
  bounds: BOUNDS,
  edges,
  overflowed,
});

test('rates are the growth of a process between two samples; a restart is not subtracted', () => {
  const [before, after] = [new TrafficSample(10), new TrafficSample(10)];
  before.add(batch('a', 1_000, [totals(100)]));
  before.add(batch('b', 500, [totals(1_000)]));
  after.add(batch('a', 6_000, [totals(150), totals(10, 'mail')]));
  after.add(batch('b2', 700, [totals(5)]));
  const seen = [...after.since(before)];
  assert.equal(
    seen.map(({ destination, responses, durations }) => [destination?.name, responses['2xx'], durations.count]),
    [
      ['cart', 10, 50],
      ['mail', 2, 10],
    ],
  );
  assert.not.ok(before.covers(after));
  assert.equal([...after.since(after)], [], 'no time has passed');
});

test('edges of a replica beyond the limit are counted', () => {
  const check = new TrafficSample(2);
  check.add(batch('a', 1, [totals(1), totals(1, 'b')], 3));
  check.add(batch('a', 1, [totals(1, 'c')], 3));
  assert.is(check.overflowed, 4);
});

test.run();
