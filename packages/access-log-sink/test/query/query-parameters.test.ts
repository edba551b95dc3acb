/** Log queries in URLs: one syntax for all programs. */
import { assert, test } from '@meshrelay/testing';
import type { LogQuery } from '../../src/query/log-query.ts';
import { limitOf, logQueryOf, ParameterError, refuseUnknown, workloadOf } from '../../src/query/query-parameters.ts';

const READ: ReadonlyArray<readonly [string, LogQuery]> = [
  ['', {}],
  ['workload=reviews', { workload: { name: 'reviews' } }],
  ['workload=reviews.bookinfo', { workload: { name: 'reviews', namespace: 'bookinfo' } }],
  ['source=web.shop.east.example.com', { source: { name: 'web', namespace: 'shop', cluster: 'east.example.com' } }],
  ['destination=b.ns.c1', { destination: { name: 'b', namespace: 'ns', cluster: 'c1' } }],
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
  [
    'status=404&status=503',
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
  ['until=2026-01-01T00:00:00Z', { until: Date.UTC(2026, 0, 1) }],
];

for (const [url, query] of READ) test(`logs?${url}`, () => assert.equal(logQueryOf(new URLSearchParams(url)), query));

const refuses = (act: () => unknown, message: RegExp): void =>
  assert.throws(act, (error: unknown) => error instanceof ParameterError && message.test(error.message));

const REFUSED: ReadonlyArray<readonly [string, RegExp]> = [
  ['workload=', /^workload: expected NAME/],
  ['source=a..b', /^source: expected NAME/],
  ['destination=bookinfo/reviews', /^destination: expected NAME, NAME\.NAMESPACE or NAME\.NAMESPACE\.CLUSTER, found/],
  ['status=6xxx', /^status: expected 503, 5xx, 400-499 or >=500, found 6xxx/],
  ['kind=udp', /^kind: expected http or tcp/],
  ['since=yesterday', /^since: expected a time/],
];

for (const [url, message] of REFUSED)
  test(`logs?${url} is rejected`, () => refuses(() => logQueryOf(new URLSearchParams(url)), message));

test('a workload can be parsed separately', () => {
  assert.equal(workloadOf('workload', 'reviews.bookinfo'), { workload: { name: 'reviews', namespace: 'bookinfo' } });
  assert.equal(workloadOf('workload', undefined), {});
});

test('limits are whole numbers up to the maximum of a program', () => {
  const range = { max: 5_000, fallback: 100 };
  assert.equal(
    [undefined, '1', '5000'].map((text) => limitOf(text, range)),
    [100, 1, 5_000],
  );
  for (const text of ['0', '1e3', '5001', '', '-1', '1.5'])
    refuses(() => limitOf(text, range), /^limit: expected 1 to 5000/);
});

test('an unknown parameter is rejected, with a list of the known ones', () => {
  refuseUnknown(new URLSearchParams('limit=1'), ['limit']);
  refuses(
    () => refuseUnknown(new URLSearchParams('colour=red'), ['limit', 'follow']),
    /^colour: unknown; choose of limit, follow/,
  );
});

test.run();
