/** AccessLogRecords of a small fleet, with frequently overlapping selectors and fields. */
import fc from 'fast-check';
import type { Placed } from './placed.ts';

const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const few = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(arbitrary, { maxLength: 2 });

const matcher = fc.record(
  {
    labels: one<Record<string, string>>({ app: 'a' }, { app: 'b', version: 'v1' }, { tier: 'front' }),
    namespaces: few(one('x', 'y')),
    clusters: few(one('c1', 'c2', 'c3')),
  },
  { requiredKeys: [] },
);

const selector = fc.record({ kubeWorkloadMatcher: matcher }, { requiredKeys: [] });

const filter = fc.oneof(
  fc.record({ value: one(0, 404, 500, 700), comparator: one('EQ', 'GE', 'LE') }).map((status) => ({
    statusCodeMatcher: status,
  })),
  one<object>({ name: 'X-Debug' }, { name: ':path', value: '/a.*', regex: true, invertMatch: true }).map((header) => ({
    headerMatcher: header,
  })),
);

/** One of 700 is invalid, so the last accepted spec matters. */
export const accessLogRecord: fc.Arbitrary<Placed> = fc
  .record({
    cluster: one('', '', 'c1', 'c2'),
    name: one('log-1', 'log-2', 'log-3'),
    namespace: one('policies', 'meshrelay', 'x'),
    spec: fc.record(
      {
        workloadSelectors: few(selector),
        filters: few(filter),
        includedRequestHeaders: few(one('X-Request-Id', 'x-request-id', 'a')),
        includedResponseTrailers: few(one('grpc-status')),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ cluster, name, namespace, spec }) => ({
    cluster,
    object: {
      apiVersion: 'extensions.meshrelay.dev/v1alpha1',
      kind: 'AccessLogRecord',
      metadata: { name, namespace },
      spec,
    } as Placed['object'],
  }));
