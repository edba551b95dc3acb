// Valid access log records, and invalid ones that are rejected by field.
import { assert, test } from '@meshrelay/testing';
import { decodeObject } from '../../src/mod.ts';

const record = (spec: unknown): unknown => ({
  apiVersion: 'extensions.meshrelay.dev/v1alpha1',
  kind: 'AccessLogRecord',
  metadata: { name: 'errors', namespace: 'meshrelay' },
  spec,
});

/** Text of the fault. */
function found(spec: unknown): string[] {
  const { problems = [], reports = [] } = decodeObject(record(spec));
  return [...problems, ...reports].map(({ message }) => message);
}

test('a record with every field is accepted', () => {
  const spec = {
    workloadSelectors: [
      { kubeWorkloadMatcher: { labels: { app: 'reviews' }, namespaces: ['bookinfo'], clusters: ['cluster-1'] } },
    ],
    filters: [
      { statusCodeMatcher: { value: 500, comparator: 'GE' } },
      { statusCodeMatcher: { value: 0, comparator: 'EQ' } },
      { headerMatcher: { name: ':path', value: '/api/.*', regex: true, invertMatch: true } },
      { headerMatcher: { name: 'x-debug' } },
    ],
    includedRequestHeaders: ['x-request-id'],
    includedResponseHeaders: ['server'],
    includedResponseTrailers: ['grpc-status'],
    includedFilterStateObjects: ['wasm.auth'],
  };
  assert.equal(found(spec), []);
  assert.equal(decodeObject(record(spec)).object?.spec, spec);
  assert.equal(found({}), []);
});

for (const [what, spec, message] of [
  [
    'a filter of both kinds',
    { filters: [{ statusCodeMatcher: { value: 500, comparator: 'EQ' }, headerMatcher: { name: 'a' } }] },
    /exactly one of/,
  ],
  ['a filter of none', { filters: [{}] }, /exactly one of/],
  ['an unknown comparator', { filters: [{ statusCodeMatcher: { value: 500, comparator: 'GT' } }] }, /comparator/],
  ['an invalid status', { filters: [{ statusCodeMatcher: { value: 600, comparator: 'EQ' } }] }, /value/],
  ['a malformed regular expression', { filters: [{ headerMatcher: { name: 'a', value: '(', regex: true } }] }, /RE2/],
  ['an invalid header name', { includedRequestHeaders: ['a b'] }, /includedRequestHeaders/],
] as const)
  test(`${what} is rejected`, () => assert.match(found(spec).join('; '), message));

test.run();
