/** Random selectors over the names that a fleet has. */
import fc from 'fast-check';
import type { Names } from './names.ts';

const one = fc.constantFrom;
const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 2 });
const optional = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true });

export interface Selectors {
  readonly destination: fc.Arbitrary<object>;
  readonly workload: fc.Arbitrary<object>;
  readonly identity: fc.Arbitrary<object>;
}

/** Most select some objects; some select all, or none. */
export function selectorsOver({ service, cluster, namespace, labels, account }: Names): Selectors {
  const place = { namespaces: few(namespace), clusters: few(cluster) };
  const accounts = (some: fc.Arbitrary<object>): fc.Arbitrary<object> =>
    fc
      .array(some, { minLength: 1, maxLength: 2 })
      .map((serviceAccounts) => ({ kubeServiceAccountRefs: { serviceAccounts } }));
  const named = { name: account, namespace };
  return {
    destination: fc.oneof(
      fc.constant({}),
      optional({ labels, ...place, expressions: fc.array(expression(labels), { maxLength: 2 }) }).map(
        (kubeServiceMatcher) => ({ kubeServiceMatcher }),
      ),
      fc.array(service, { minLength: 1, maxLength: 3 }).map((services) => ({ kubeServiceRefs: { services } })),
    ),
    workload: optional({ labels, ...place }).map((kubeWorkloadMatcher) => ({ kubeWorkloadMatcher })),
    identity: fc.oneof(
      { weight: 1, arbitrary: fc.constant({}) },
      { weight: 2, arbitrary: optional(place).map((kubeIdentityMatcher) => ({ kubeIdentityMatcher })) },
      { weight: 1, arbitrary: accounts(optional({ ...named, clusterName: cluster })) },
      { weight: 3, arbitrary: accounts(fc.record(named)) },
    ),
  };
}

/** Over labels that Services have. */
function expression(labels: Names['labels']): fc.Arbitrary<object> {
  return fc.tuple(labels, one('In', 'NotIn', 'Exists', 'DoesNotExist')).map(([set, operator]) => {
    const [[key, value] = ['app', 'cart']] = Object.entries(set);
    return { key, operator, ...(operator === 'In' || operator === 'NotIn' ? { values: [value, 'other'] } : {}) };
  });
}
