/** What stands in URLs about logs and traffic. */
import { assert, test } from '@meshrelay/testing';
import { AskedError, logsAsked, trafficAsked } from '../../src/observe/asked.ts';

const READ: ReadonlyArray<readonly [string, object]> = [
  ['', {}],
  ['workload=reviews', { workload: { name: 'reviews' } }],
  ['workload=reviews.bookinfo', { workload: { name: 'reviews', namespace: 'bookinfo' } }],
  ['source=web.shop.east.example.com', { source: { name: 'web', namespace: 'shop', cluster: 'east.example.com' } }],
  ['status=5xx', { status: [[500, 599]] }],
  [
    'status=404,503',
    {
      status: [
        [404, 404],
        [503, 503],
      ],
    },
  ],
  ['status=400-499', { status: [[400, 499]] }],
  ['status=%3E%3D500', { status: [[500, 999]] }],
  ['status=%3E500', { status: [[501, 999]] }],
  ['status=%3C%3D399', { status: [[0, 399]] }],
  ['status=%3C400', { status: [[0, 399]] }],
  ['path=/api*', { path: { prefix: '/api' } }],
  ['path=/api', { path: { exact: '/api' } }],
  ['method=POST&kind=tcp', { method: 'POST', kind: 'tcp' }],
  ['since=2026-01-01T00:00:00Z', { since: Date.UTC(2026, 0, 1) }],
];

for (const [url, query] of READ)
  test(`logs?${url}`, () => assert.equal(logsAsked(new URLSearchParams(url)).query, query));

test('clusters and limit stand beside the query', () => {
  assert.equal(logsAsked(new URLSearchParams('cluster=a&cluster=b&limit=7')), {
    query: {},
    limit: 7,
    clusters: ['a', 'b'],
  });
  assert.is(logsAsked(new URLSearchParams()).limit, 100);
});

const REFUSED: ReadonlyArray<readonly [string, RegExp]> = [
  ['colour=red', /^colour: unknown; choose of cluster, workload/],
  ['workload=', /^workload: expected NAME/],
  ['source=a..b', /^source: expected NAME/],
  ['status=6xxx', /^status: expected 503, 5xx, 400-499 or >=500, found 6xxx/],
  ['kind=udp', /^kind: expected http or tcp/],
  ['since=yesterday', /^since: expected a time/],
  ['limit=0', /^limit: expected 1 to 5000/],
  ['limit=1e3', /^limit/],
  ['limit=5001', /^limit/],
];

for (const [url, message] of REFUSED)
  test(`logs?${url} is refused`, () =>
    assert.throws(
      () => logsAsked(new URLSearchParams(url)),
      (error: unknown) => error instanceof AskedError && message.test(error.message),
    ));

test('traffic is asked by cluster, namespace and workload', () => {
  const { workload, limit } = trafficAsked(new URLSearchParams('workload=reviews&namespace=bookinfo&cluster=east'));
  assert.equal(workload, { name: 'reviews', namespace: 'bookinfo', cluster: 'east' });
  assert.is(limit, 1_000);
  assert.throws(() => trafficAsked(new URLSearchParams('follow')), /follow: unknown/);
});

test.run();
