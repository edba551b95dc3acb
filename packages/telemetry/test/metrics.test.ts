/** Metrics in a scrape. */
import { assert, test } from '@meshrelay/testing';
import { createMetrics } from '../src/mod.ts';

test('counters, gauges and histograms appear with prefix, labels and values', async () => {
  const metrics = createMetrics();
  const pushed = metrics.counter({ name: 'pushed_total', help: 'Objects pushed.', labels: ['kind'] });
  pushed.inc({ kind: 'Mesh' });
  pushed.add(4, { kind: 'Mesh' });
  const depth = metrics.gauge({ name: 'queue_depth', help: 'Waiting.' });
  depth.set(7);
  let live = 1;
  metrics.gauge({ name: 'streams', help: 'Open streams.', read: () => live });
  metrics.histogram({ name: 'commit_seconds', help: 'Commits.', buckets: [0.1, 1] }).observe(0.5);
  live = 3;
  const text = await metrics.text();
  assert.match(text, 'meshrelay_pushed_total{kind="Mesh"} 5');
  assert.match(text, 'meshrelay_queue_depth 7');
  assert.match(text, 'meshrelay_streams 3');
  assert.match(text, 'meshrelay_commit_seconds_bucket{le="0.1"} 0');
  assert.match(text, 'meshrelay_commit_seconds_bucket{le="1"} 1');
  assert.match(text, '# HELP meshrelay_pushed_total Objects pushed.');
  assert.match(metrics.contentType, 'text/plain');
});

test('a gauge with labels reports the series that exist at the scrape', async () => {
  const metrics = createMetrics();
  let open: Array<readonly [number, { readonly stream: string }]> = [
    [2, { stream: 'push' }],
    [1, { stream: 'pull' }],
  ];
  metrics.gauge({ name: 'streams', help: 'Open streams.', labels: ['stream'], read: () => open });
  assert.match(await metrics.text(), 'meshrelay_streams{stream="push"} 2\nmeshrelay_streams{stream="pull"} 1\n');
  open = [[3, { stream: 'pull' }]];
  const text = await metrics.text();
  assert.match(text, 'meshrelay_streams{stream="pull"} 3');
  assert.not.match(text, 'stream="push"');
});

test('totals that other code maintains are read at each scrape', async () => {
  const metrics = createMetrics();
  let retained = 1;
  metrics.counter({ name: 'plain_total', help: 'Plain.', read: () => [[retained]] });
  metrics.counter({
    name: 'by_kind_total',
    help: 'By kind.',
    labels: ['kind'],
    read: () => [[retained, { kind: 'a' }]],
  });
  assert.match(await metrics.text(), 'meshrelay_plain_total 1');
  retained = 5;
  const text = await metrics.text();
  assert.match(text, 'meshrelay_plain_total 5');
  assert.match(text, 'meshrelay_by_kind_total{kind="a"} 5');
});

test('series beyond the limit are counted under other, and that is counted too', async () => {
  const metrics = createMetrics();
  const gauge = metrics.gauge({ name: 'age_seconds', help: 'Age.', labels: ['cluster'], maxSeries: 2 });
  for (const cluster of ['a', 'b', 'c', 'd']) gauge.set(1, { cluster });
  let text = await metrics.text();
  assert.is(text.match(/^meshrelay_age_seconds\{/gm)?.length, 3);
  assert.match(text, 'meshrelay_age_seconds{cluster="other"} 1');
  assert.match(text, 'meshrelay_metric_series_overflow_total{metric="meshrelay_age_seconds"} 2');
  gauge.remove({ cluster: 'a' });
  gauge.set(9, { cluster: 'e' });
  text = await metrics.text();
  assert.match(text, 'meshrelay_age_seconds{cluster="e"} 9');
  assert.not.match(text, 'cluster="a"');
});

test('two registries share nothing; runtime metrics are opt-in', async () => {
  const [one, two] = [createMetrics({ runtime: true }), createMetrics({ prefix: 'x_' })];
  one.counter({ name: 'a_total', help: 'A.' }).inc();
  two.counter({ name: 'a_total', help: 'A.' }).add(2);
  assert.match(await one.text(), 'nodejs_eventloop_lag');
  assert.match(await one.text(), 'meshrelay_a_total 1');
  assert.not.match(await two.text(), 'nodejs');
  assert.match(await two.text(), 'x_a_total 2');
});

test('scrapes that overlap share one result', async () => {
  const metrics = createMetrics();
  assert.is(metrics.text(), metrics.text());
  const first = metrics.text();
  await first;
  assert.is.not(metrics.text(), first);
});

test.run();
