/** Envoys' metrics: decoded as they were sent, added up by workload, limited. */
import { Buffer } from 'node:buffer';
import { fromBinary, metricsService } from '@meshrelay/envoy-api';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { MetricFamily } from '../../src/metrics/metric-family.ts';
import { decodeMetrics } from '../../src/metrics/metrics-decoder.ts';
import { MetricsSink } from '../../src/metrics/metrics-sink.ts';
import { prometheusText } from '../../src/metrics/prometheus-text.ts';
import { WireError } from '../../src/wire/wire-error.ts';
import { metricsMessage, summary } from '../support/metrics-message.ts';
import { ATTRIBUTION, workload } from '../support/sinks.ts';
import * as w from '../support/wire-writer.ts';

const RQ = 'cluster.upstream_rq_total';
const UP = [['envoy.cluster_name', 'up']] as const;
const counter = (value: number, labels: MetricFamily['samples'][0]['labels'] = UP): MetricFamily => ({
  name: RQ,
  kind: 'counter',
  samples: [{ labels, value }],
});
const gauge = (value: number): MetricFamily => ({
  name: 'cluster.upstream_cx_active',
  kind: 'gauge',
  samples: [{ labels: UP, value }],
});
const histogram = (...upTo: readonly number[]): MetricFamily => ({
  name: 'cluster.upstream_rq_time',
  kind: 'histogram',
  samples: [
    {
      labels: UP,
      count: upTo.at(-1) ?? 0,
      sum: 10,
      buckets: [
        [1, upTo[0] ?? 0],
        [5, upTo[1] ?? 0],
      ],
    },
  ],
});

function fixture(limits = {}) {
  const sink = new MetricsSink({ attribution: ATTRIBUTION, limits });
  const proxy = (address: string) => {
    const stream = sink.openStream(`${address}:1`);
    assert.ok(stream);
    return {
      flush: (...families: readonly MetricFamily[]) => stream?.take(metricsMessage(families)),
      take: (bytes: Buffer) => stream?.take(bytes),
      close: () => stream?.close(),
    };
  };
  return { sink, proxy, value: (name: string) => [...sink.series()].find((series) => series.name === name)?.value };
}

function decoded(bytes: Buffer): MetricFamily[] {
  const families: MetricFamily[] = [];
  decodeMetrics(bytes, { identifier() {}, requests: () => true, family: (family) => families.push(family) });
  return families;
}

const text = fc.string({ minLength: 1, maxLength: 20 });
const labels = fc.array(fc.tuple(text, text), { maxLength: 3 });
const real = fc.double({ min: 1e-6, max: 1e15, noNaN: true });
const family: fc.Arbitrary<MetricFamily> = fc.oneof(
  fc.record({
    name: text,
    kind: fc.constantFrom('counter' as const, 'gauge' as const),
    samples: fc.array(fc.record({ labels, value: real }), { maxLength: 3 }),
  }),
  fc.record({
    name: text,
    kind: fc.constant('histogram' as const),
    samples: fc.array(
      fc.record({
        labels,
        count: fc.integer({ min: 1, max: 1e9 }),
        sum: real,
        buckets: fc.array(fc.tuple(real, fc.integer({ min: 1, max: 1e9 })), { maxLength: 4 }),
      }),
      { maxLength: 3 },
    ),
  }),
);

test('families are read as they were sent, and as the generated code reads them', () => {
  fc.assert(
    fc.property(fc.array(family, { maxLength: 5 }), (sent) => {
      const bytes = metricsMessage(sent);
      const read = decoded(bytes);
      const plain = read.map(({ name, kind, samples }) => ({
        name,
        kind,
        samples: samples.map((sample) =>
          kind === 'histogram'
            ? (({ labels: l, count, sum, buckets }) => ({ labels: l, count, sum, buckets }))(sample as never)
            : (({ labels: l, value }) => ({ labels: l, value }))(sample as never),
        ),
      }));
      assert.is(JSON.stringify(plain), JSON.stringify(sent));
      const { envoyMetrics } = fromBinary(metricsService.StreamMetricsMessageSchema, bytes);
      assert.equal(
        envoyMetrics.map(({ name, metric }) => [name, metric.length]),
        read.map(({ name, samples }) => [name, samples.length]),
      );
    }),
    { numRuns: scaledRuns(200) },
  );
});

test('corrupt messages are read or rejected', () => {
  const seed = metricsMessage([counter(1), gauge(2), histogram(1, 2)]);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(seed.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (hits) => {
      const bytes = Buffer.from(seed);
      for (const [at, value] of hits) bytes[at] = value;
      try {
        decoded(bytes);
      } catch (error) {
        assert.instance(error, WireError);
      }
    }),
    { numRuns: scaledRuns(2_000) },
  );
});

test('counters have their growth since the stream began; a smaller value means a restart', () => {
  const { proxy, value } = fixture();
  const envoy = proxy('10.0.0.1');
  const seen = [20, 20, 25, 4, 6].map((total) => {
    envoy.flush(counter(total));
    return value('envoy_cluster_upstream_rq_total');
  });
  assert.equal(seen, [0, 0, 5, 9, 11]);
});

test('a counter that first appears in a later flush started at 0; the first flush may have several messages', () => {
  const { sink, proxy } = fixture();
  const envoy = proxy('10.0.0.1');
  const of = (name: string, value: number) => counter(value, [['envoy.cluster_name', name]]);
  envoy.flush(of('a', 100));
  envoy.flush(of('b', 100));
  envoy.flush(of('c', 7), of('a', 101));
  envoy.flush(of('b', 102));
  assert.equal(
    [...sink.series()].map(({ labels, value }) => [labels[0]?.[1], value]),
    [
      ['a', 1],
      ['b', 2],
      ['c', 7],
    ],
  );
});

test('two proxies of a workload are added up, a reconnect counts nothing twice', () => {
  const { sink, proxy, value } = fixture();
  const [a, b] = [proxy('10.0.0.1'), proxy('10.0.0.1')];
  a.flush(counter(0));
  b.flush(counter(0));
  a.flush(counter(3));
  b.flush(counter(4));
  assert.is(value('envoy_cluster_upstream_rq_total'), 7);
  a.close();
  const again = proxy('10.0.0.1');
  again.flush(counter(3));
  again.flush(counter(5));
  assert.is(value('envoy_cluster_upstream_rq_total'), 9);
  assert.is(sink.counts.series, 1);
});

test('gauges count as long as their stream is open', () => {
  const { proxy, value } = fixture();
  const [a, b] = [proxy('10.0.0.1'), proxy('10.0.0.1')];
  a.flush(gauge(3));
  b.flush(gauge(4));
  a.flush(gauge(2));
  assert.is(value('envoy_cluster_upstream_cx_active'), 6);
  a.close();
  a.close();
  assert.is(value('envoy_cluster_upstream_cx_active'), 4);
});

test('histograms of flushes are accumulated; summaries of the same name are ignored', () => {
  const { sink, proxy } = fixture();
  const envoy = proxy('10.0.0.1');
  for (const upTo of [
    [1, 4, 5],
    [0, 0, 0],
    [2, 2, 3],
  ]) {
    envoy.flush(histogram(...upTo));
    envoy.take(summary('cluster.upstream_rq_time'));
  }
  const [series, ...others] = sink.series();
  assert.is(others.length, 0);
  assert.equal([series?.counts, series?.count, series?.sum], [[3, 6], 8, 30]);
});

test("names and labels follow Prometheus' rules, with the workload", () => {
  const { sink, proxy } = fixture();
  const envoy = proxy('10.0.0.2');
  const odd = [['envoy.cluster_name', 'a"b\\c\nd']] as const;
  envoy.flush(counter(1, odd), histogram(1, 1));
  envoy.flush(counter(3, odd));
  const reviews = 'workload="reviews",namespace="bookinfo",cluster="cluster-1"';
  assert.equal(prometheusText(sink.series()).split('\n'), [
    '# TYPE envoy_cluster_upstream_rq_total counter',
    `envoy_cluster_upstream_rq_total{${reviews},envoy_cluster_name="a\\"b\\\\c\\nd"} 2`,
    '# TYPE envoy_cluster_upstream_rq_time histogram',
    `envoy_cluster_upstream_rq_time_bucket{${reviews},envoy_cluster_name="up",le="1"} 1`,
    `envoy_cluster_upstream_rq_time_bucket{${reviews},envoy_cluster_name="up",le="5"} 1`,
    `envoy_cluster_upstream_rq_time_bucket{${reviews},envoy_cluster_name="up",le="+Inf"} 1`,
    `envoy_cluster_upstream_rq_time_sum{${reviews},envoy_cluster_name="up"} 10`,
    `envoy_cluster_upstream_rq_time_count{${reviews},envoy_cluster_name="up"} 1`,
    '',
  ]);
});

test('names that are not retained are skipped, and labels beyond the limit are counted', () => {
  const { sink, proxy } = fixture({ series: 10, perWorkload: 6 });
  const [a, b] = [proxy('10.0.0.1'), proxy('10.0.0.2')];
  a.flush({ name: 'runtime.load_success', kind: 'gauge', samples: [{ labels: [], value: 1 }] });
  assert.is(sink.counts.series, 0);
  for (let at = 0; at < 100; at++) a.flush(counter(1, [['envoy.cluster_name', `c${at}`]]));
  assert.equal([sink.counts.series, sink.counts.overflowed], [6, 94]);
  b.flush(counter(1));
  assert.is(sink.counts.series, 7, 'another workload has room of its own');
});

test('a source is limited in its streams', () => {
  const sink = new MetricsSink({ attribution: ATTRIBUTION, streamsPerSource: 1 });
  const first = sink.openStream('10.0.0.1:1');
  assert.is(sink.openStream('10.0.0.1:2'), undefined);
  first?.close();
  assert.ok(sink.openStream('10.0.0.1:3'));
});

test('an invalid message is counted and rejected', () => {
  const { sink, proxy } = fixture();
  assert.throws(() => proxy('10.0.0.1').take(w.tag(2, 2)), /a number begins here/);
  assert.is(sink.counts.brokenMessages, 1);
  assert.equal(workload('reviews').cluster, 'cluster-1');
});

test.run();
