/** Edges between workloads, counted from access logs. */
import { assert, test } from '@meshrelay/testing';
import { KEEP_NONE } from '../../src/filter/compiled-rules.ts';
import { EdgeMetrics } from '../../src/metrics/edge-metrics.ts';
import { addDuration, durationQuantile, newDurations } from '../../src/metrics/latency.ts';
import { prometheusText } from '../../src/metrics/prometheus-text.ts';
import { ATTRIBUTION, request, testSink } from '../support/sinks.ts';

const call = { downstreamRemoteAddress: '10.0.0.1:5000', upstreamRemoteAddress: '10.0.0.2:9080' };

test('requests are counted by source, destination and reporter, whether their entries are retained or not', () => {
  const edges = new EdgeMetrics({ attribution: ATTRIBUTION });
  const { send } = testSink({ observers: [edges], rulesFor: () => KEEP_NONE });
  send(
    '10.0.0.1',
    [request('/a', 200, { ...call, duration: 3 }), request('/b', 503, { ...call, duration: 40 })],
    'outbound',
  );
  send('10.0.0.2', [
    request('/a', 200, { ...call, duration: 2 }),
    request('/c', 0, call),
    { kind: 'tcp', intermediate: true },
    { kind: 'tcp', ...call },
  ]);
  const reported = [...edges.edges()].map(({ source, destination, reporter, responses }) => [
    source?.name,
    destination?.name,
    reporter,
    Object.fromEntries(responses),
  ]);
  assert.equal(reported, [
    ['productpage', 'reviews', 'source', { '2xx': 1, '5xx': 1 }],
    ['productpage', 'reviews', 'destination', { '2xx': 1, none: 1, tcp: 1 }],
  ]);
  const text = prometheusText([], edges.edges());
  const ends =
    'source_workload="productpage",source_namespace="bookinfo",source_cluster="cluster-1",' +
    'destination_workload="reviews",destination_namespace="bookinfo",destination_cluster="cluster-1",reporter="source"';
  assert.ok(text.includes(`meshrelay_edge_requests_total{${ends},code="5xx"} 1`));
  assert.ok(text.includes(`meshrelay_edge_duration_milliseconds_bucket{${ends},le="5"} 1`));
  assert.ok(text.includes(`meshrelay_edge_duration_milliseconds_bucket{${ends},le="50"} 2`));
  assert.ok(text.includes(`meshrelay_edge_duration_milliseconds_sum{${ends}} 43`));
});

test('edges beyond the limit are only counted', () => {
  const edges = new EdgeMetrics({ attribution: ATTRIBUTION, maxEdges: 1 });
  const { send } = testSink({ observers: [edges] });
  send('10.0.0.1', [request('/a', 200, call)], 'outbound');
  send('10.0.0.2', [request('/a', 200, call), request('/b', 200, call)]);
  assert.is([...edges.edges()].length, 1);
  assert.is(edges.overflowed, 2);
});

test('quantiles lie between the bounds', () => {
  const durations = newDurations();
  assert.is(durationQuantile(durations, 0.5), undefined);
  for (let at = 0; at < 90; at++) addDuration(durations, 4);
  for (let at = 0; at < 9; at++) addDuration(durations, 80);
  addDuration(durations, 90_000);
  const [p50 = 0, p90 = 0, p99 = 0] = [0.5, 0.9, 0.99].map((share) => durationQuantile(durations, share));
  assert.ok(p50 > 2 && p50 <= 5 && p90 <= 5 && p99 > 50 && p99 <= 100, `${p50} ${p90} ${p99}`);
  assert.is(durationQuantile(durations, 1), 60_000);
});

test.run();
