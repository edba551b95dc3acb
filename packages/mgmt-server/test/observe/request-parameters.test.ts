/** URL parameters of log and traffic requests. */
import { ParameterError } from '@meshrelay/access-log-sink';
import { assert, test } from '@meshrelay/testing';
import { parseLogsRequest, parseTrafficRequest } from '../../src/observe/request-parameters.ts';

test('clusters and limit are parsed in addition to the query', () => {
  const requested = parseLogsRequest(new URLSearchParams('workload=reviews.bookinfo&cluster=a&cluster=b&limit=7'));
  assert.equal(requested, {
    query: { workload: { name: 'reviews', namespace: 'bookinfo' } },
    limit: 7,
    clusters: ['a', 'b'],
  });
  assert.is(parseLogsRequest(new URLSearchParams()).limit, 100);
});

const REFUSED: ReadonlyArray<readonly [string, RegExp]> = [
  ['colour=red', /^colour: unknown; choose of cluster, workload/],
  ['source=a..b', /^source: expected NAME/],
  ['limit=5001', /^limit: expected 1 to 5000/],
];

for (const [url, message] of REFUSED)
  test(`logs?${url} is rejected`, () =>
    assert.throws(
      () => parseLogsRequest(new URLSearchParams(url)),
      (error: unknown) => error instanceof ParameterError && message.test(error.message),
    ));

test('traffic is selected by cluster, namespace and workload', () => {
  const { workload, limit } = parseTrafficRequest(
    new URLSearchParams('workload=reviews&namespace=bookinfo&cluster=east'),
  );
  assert.equal(workload, { name: 'reviews', namespace: 'bookinfo', cluster: 'east' });
  assert.is(limit, 1_000);
  assert.throws(() => parseTrafficRequest(new URLSearchParams('follow')), /follow: unknown/);
});

test.run();
