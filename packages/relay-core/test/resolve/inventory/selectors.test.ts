/** Selectors of destinations: their matches, and that the searched buckets contain every match. */
import type { DestinationSelector, LabelExpression } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { createGraph } from '../../../src/mod.ts';
import type { KnownDestination } from '../../../src/resolve/inventory/known-destination.ts';
import {
  destinationBuckets,
  selectorBuckets,
  selects,
  selectsEverything,
} from '../../../src/resolve/inventory/selectors.ts';

const cluster = fc.constantFrom('c1', 'c2');
const namespace = fc.constantFrom('x', 'y');
const name = fc.constantFrom('a', 'b');
const labels = fc.dictionary(fc.constantFrom('app', 'tier'), fc.constantFrom('1', '2'), {
  maxKeys: 2,
  noNullPrototype: true,
});

const destination: fc.Arbitrary<KnownDestination> = fc.record({ cluster, namespace, name, labels }).map((facts) => ({
  ...facts,
  key: key(facts.cluster, facts.namespace, facts.name),
  hostname: '',
  ports: [],
  workloadSelector: {},
  serviceAccounts: [],
  serviceType: 'CLUSTER_IP',
  headless: false,
}));
const expression: fc.Arbitrary<LabelExpression> = fc.oneof(
  fc.record({
    key: fc.constantFrom('app', 'tier'),
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.array(fc.constantFrom('1', '2', '3'), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    key: fc.constantFrom('app', 'tier'),
    operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const),
  }),
);
const selector: fc.Arbitrary<DestinationSelector> = fc.record(
  {
    kubeServiceMatcher: fc.record(
      {
        labels,
        expressions: fc.array(expression, { maxLength: 2 }),
        namespaces: fc.array(namespace, { maxLength: 2 }),
        clusters: fc.array(cluster, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    kubeServiceRefs: fc.record({
      services: fc.array(fc.record({ name, namespace, clusterName: cluster }), { minLength: 1, maxLength: 2 }),
    }),
  },
  { requiredKeys: [] },
);
const selectors = fc.option(fc.array(selector, { maxLength: 3 }), { nil: undefined });

/** As the API documents it, without any index. */
function naive(list: readonly DestinationSelector[] | undefined, one: KnownDestination): boolean {
  if (list === undefined || list.length === 0) return true;
  return list.some(({ kubeServiceMatcher: matcher, kubeServiceRefs: refs }) => {
    if (matcher === undefined && refs === undefined) return true;
    if (
      refs?.services.some(
        (ref) => ref.name === one.name && ref.namespace === one.namespace && ref.clusterName === one.cluster,
      )
    )
      return true;
    if (matcher === undefined) return false;
    const anyOf = (values: readonly string[] | undefined, value: string) =>
      values === undefined || values.length === 0 || values.includes(value);
    const labelled = Object.entries(matcher.labels ?? {}).every(([label, value]) => one.labels[label] === value);
    const expressed = (matcher.expressions ?? []).every(({ key: name, operator, values = [] }) => {
      if (operator === 'Exists') return name in one.labels;
      if (operator === 'DoesNotExist') return !(name in one.labels);
      return values.some((value) => one.labels[name] === value) === (operator === 'In');
    });
    return anyOf(matcher.namespaces, one.namespace) && anyOf(matcher.clusters, one.cluster) && labelled && expressed;
  });
}

test('an empty item selects everything, and so does an empty list', () => {
  for (const list of [undefined, [], [{}], [{ kubeServiceMatcher: {} }], [{ kubeServiceMatcher: { expressions: [] } }]])
    assert.ok(selectsEverything(list), JSON.stringify(list));
  assert.not(selectsEverything([{ kubeServiceMatcher: { expressions: [{ key: 'app', operator: 'Exists' }] } }]));
});

test('a selector matches as documented', () => {
  fc.assert(
    fc.property(selectors, destination, (list, one) => {
      assert.is(selects(list, one), naive(list, one));
    }),
    { numRuns: scaledRuns(1000) },
  );
});

test('every match is in a bucket that the selector searches', () => {
  fc.assert(
    fc.property(selectors, destination, (list, one) => {
      if (!naive(list, one)) return;
      const searched = new Set(selectorBuckets(list));
      assert.ok([...destinationBuckets(one), one.key].some((bucket) => searched.has(bucket)));
    }),
    { numRuns: scaledRuns(1000) },
  );
});

test('matching from either side, in any order, finds the same pairs', () => {
  const policies = fc.array(fc.tuple(fc.constantFrom('p1', 'p2', 'p3'), selectors), { maxLength: 6 });
  fc.assert(
    fc.property(
      policies,
      fc.array(destination, { maxLength: 6 }),
      fc.array(fc.boolean()),
      (changes, destinations, sides) => {
        const graph = createGraph();
        const left = graph.source<{ readonly list: readonly DestinationSelector[] | undefined }>('selectors');
        const right = graph.source<KnownDestination>('destinations');
        const pairs = graph.match('pairs', left, graph.index(right, 'by bucket', destinationBuckets), {
          candidateBuckets: ({ list }) => selectorBuckets(list),
          matches: ({ list }, one) => selects(list, one),
        });
        const [policyQueue, destinationQueue] = [[...changes], [...destinations]];
        for (const side of [...sides, ...changes.map(() => true), ...destinations.map(() => false)]) {
          graph.commit((transaction) => {
            const policy = side ? policyQueue.shift() : undefined;
            const one = side ? undefined : destinationQueue.shift();
            if (policy !== undefined) transaction.set(left, policy[0], { list: policy[1] });
            if (one !== undefined) transaction.set(right, one.key, one);
          });
        }
        const found = [...pairs.entries()].map(([pair]) => pair).sort();
        const expected = [...left.entries()].flatMap(([policy, { list }]) =>
          [...right.entries()].filter(([, one]) => naive(list, one)).map(([one]) => key(policy, one)),
        );
        assert.equal(found, expected.sort());
      },
    ),
  );
});

test.run();
