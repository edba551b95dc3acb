/** Traffic policies of one destination: merged, in conflict, and as the callers of each cluster see them. */
import type { TrafficPolicy, TrafficPolicySpec } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/mod.ts';
import type { CheckedPolicy } from '../../../src/resolve/policies/policies.ts';
import { planForCallers, visibleFields } from '../../../src/resolve/traffic/consumer-plan.ts';
import { planTraffic, type TrafficPlan } from '../../../src/resolve/traffic/traffic-plan.ts';

function policy(name: string, spec: TrafficPolicySpec, cluster = ''): CheckedPolicy<TrafficPolicy> {
  const ref = { kind: 'TrafficPolicy', cluster, namespace: 'n', name };
  const object: TrafficPolicy = {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name, namespace: 'n' },
    spec,
  };
  return { key: name, ref, object, sequence: 1 };
}

const states = (plan: TrafficPlan) =>
  Object.fromEntries(plan.outcomes.map(({ policy: { name }, state }) => [name, state]));
/** The fields of each route, by matcher and source. */
const shown = (plan: TrafficPlan, cluster: string) =>
  Object.fromEntries(
    planForCallers(plan, cluster).routes.map(({ matcher, source, fields }) => [
      canonicalJson([matcher?.uri?.prefix, source]),
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, [field.value, field.from.map((ref) => ref.name).join()]]),
      ),
    ]),
  );
const api = [{ uri: { prefix: '/api' } }];

test('equal values merge, and both policies are named', () => {
  const plan = planTraffic([
    policy('a', { policy: { requestTimeout: '1s' } }),
    policy('b', { policy: { requestTimeout: '1s' } }),
  ]);
  assert.equal(states(plan), { a: 'ACCEPTED', b: 'ACCEPTED' });
  assert.equal(shown(plan, 'c'), { '[null,{}]': { requestTimeout: ['1s', 'a,b'] } });
});

test('a second, different value is a conflict that names the winner, and excludes the whole policy', () => {
  const plan = planTraffic([
    policy('a', { policy: { requestTimeout: '1s' } }),
    policy('b', { policy: { requestTimeout: '2s', retries: { attempts: 1 } } }),
  ]);
  assert.equal(states(plan), { a: 'ACCEPTED', b: 'CONFLICT' });
  assert.equal(shown(plan, 'c'), { '[null,{}]': { requestTimeout: ['1s', 'a'] } });
  const [report] = plan.outcomes[1]?.reports ?? [];
  assert.is(report?.field, 'spec.policy.requestTimeout');
  assert.equal(report?.related, [{ kind: 'TrafficPolicy', cluster: '', namespace: 'n', name: 'a' }]);
});

test('a conflict in one field excludes the policy from all: other fields, other requests, connections', () => {
  const pool = (maxConnections: number) => ({ connectionPool: { tcp: { maxConnections } } });
  const alone = planTraffic([policy('a', { policy: { requestTimeout: '1s', ...pool(1) } })]);
  const aboutRequests = policy('b', {
    httpRequestMatchers: [{}, ...api],
    policy: { requestTimeout: '2s', retries: { attempts: 1 }, mtls: { istio: { tlsMode: 'DISABLE' } } },
  });
  const aboutConnections = policy('c', { httpRequestMatchers: api, policy: { requestTimeout: '2s', ...pool(2) } });
  for (const later of [aboutRequests, aboutConnections]) {
    const plan = planTraffic([policy('a', { policy: { requestTimeout: '1s', ...pool(1) } }), later]);
    assert.equal(states(plan), { a: 'ACCEPTED', [later.ref.name]: 'CONFLICT' });
    assert.equal([plan.routes, plan.connection], [alone.routes, alone.connection]);
  }
});

test('a conflict names the winner, every conflicting field, and both values', () => {
  const plan = planTraffic([
    policy('first', { policy: { requestTimeout: '1s' } }, 'c1'),
    policy('second', { policy: { requestTimeout: '1s', retries: { attempts: 1 } } }),
    policy('third', { policy: { requestTimeout: '2s', retries: { attempts: 2 } } }),
  ]);
  const [{ reports = [] } = {}] = plan.outcomes.filter(({ state }) => state === 'CONFLICT');
  assert.equal(
    reports.map(({ field, message }) => [field, message.split(';')[0]]),
    [
      [
        'spec.policy.requestTimeout',
        'TrafficPolicy n/first of cluster c1 was accepted earlier and sets requestTimeout to "1s" for the same requests, but this policy sets "2s"',
      ],
      [
        'spec.policy.retries',
        'TrafficPolicy n/second was accepted earlier and sets retries to {"attempts":1} for the same requests, but this policy sets {"attempts":2}',
      ],
    ],
  );
  assert.equal(
    reports.map(({ related }) => related?.map(({ name }) => name)),
    [['first', 'second'], ['second']],
  );
});

test('different requests do not conflict', () => {
  const plan = planTraffic([
    policy('a', { httpRequestMatchers: api, policy: { requestTimeout: '1s' } }),
    policy('b', { policy: { requestTimeout: '2s' } }),
  ]);
  assert.equal(states(plan), { a: 'ACCEPTED', b: 'ACCEPTED' });
});

test('a matcher is the same under any name and spelling', () => {
  const plan = planTraffic([
    policy('a', {
      httpRequestMatchers: [{ name: 'one', uri: { prefix: '/api' }, method: 'GET' }],
      policy: { requestTimeout: '1s' },
    }),
    policy('b', {
      httpRequestMatchers: [{ method: 'GET', uri: { prefix: '/api' } }],
      policy: { requestTimeout: '2s' },
    }),
  ]);
  assert.equal(states(plan), { a: 'ACCEPTED', b: 'CONFLICT' });
});

test('defaults, the order of headers and the case of their names do not distinguish requests', () => {
  const terse = { uri: { prefix: '/api' }, headers: [{ name: 'x', value: '1' }, { name: 'y' }] };
  const wordy = {
    uri: { prefix: '/api', ignoreCase: false },
    headers: [
      { name: 'Y', value: '', invertMatch: false },
      { name: 'X', value: '1', regex: false },
      { name: 'x', value: '1' },
    ],
    queryParameters: [],
  };
  for (const [first, second] of [
    [terse, wordy],
    [wordy, terse],
  ] as const) {
    const plan = planTraffic([
      policy('a', { httpRequestMatchers: [first], policy: { requestTimeout: '1s' } }),
      policy('b', { httpRequestMatchers: [second], policy: { requestTimeout: '2s' } }),
    ]);
    assert.equal(states(plan), { a: 'ACCEPTED', b: 'CONFLICT' });
    assert.is(plan.routes.length, 1);
  }
  const other = { ...terse, queryParameters: [{ name: 'X', value: '1' }] };
  const cased = { ...terse, queryParameters: [{ name: 'x', value: '1' }] };
  const apart = planTraffic([
    policy('a', { httpRequestMatchers: [other], policy: { requestTimeout: '1s' } }),
    policy('b', { httpRequestMatchers: [cased], policy: { requestTimeout: '2s' } }),
  ]);
  assert.equal(states(apart), { a: 'ACCEPTED', b: 'ACCEPTED' });
});

test('equivalent values merge, however they are spelled', () => {
  const said: TrafficPolicySpec['policy'][] = [
    { requestTimeout: '1s', outlierDetection: {}, retries: { attempts: 2, perTryTimeout: '1m', retryOn: [] } },
    { requestTimeout: '1000ms', outlierDetection: { interval: '10s' }, retries: { attempts: 2, perTryTimeout: '60s' } },
  ];
  for (const [first, second] of [said, said.toReversed()]) {
    const plan = planTraffic([policy('a', { policy: first ?? {} }), policy('b', { policy: second ?? {} })]);
    assert.equal(states(plan), { a: 'ACCEPTED', b: 'ACCEPTED' });
    assert.equal(plan.routes[0]?.fields.requestTimeout?.value, first?.requestTimeout, 'as the first spells it');
  }
  const differing = planTraffic([
    policy('a', { policy: { outlierDetection: {}, mtls: { istio: { tlsMode: 'DISABLE' } } } }),
    policy('b', { policy: { outlierDetection: { consecutiveErrors: 4 } } }),
    policy('c', { policy: { mtls: { istio: { tlsMode: 'SIMPLE' } } } }),
  ]);
  assert.equal(states(differing), { a: 'ACCEPTED', b: 'CONFLICT', c: 'CONFLICT' });
});

test('an empty matcher matches every request', () => {
  const plan = planTraffic([
    policy('a', { httpRequestMatchers: [{}], policy: { requestTimeout: '1s' } }),
    policy('b', { policy: { requestTimeout: '2s' } }),
    policy('c', { httpRequestMatchers: [{ name: 'all', headers: [] }], policy: { requestTimeout: '3s' } }),
  ]);
  assert.equal(states(plan), { a: 'ACCEPTED', b: 'CONFLICT', c: 'CONFLICT' });
});

test('values for every request apply on specific routes that do not set them', () => {
  const plan = planTraffic([
    policy('all', { policy: { requestTimeout: '9s', retries: { attempts: 1 } } }),
    policy('api', { httpRequestMatchers: api, policy: { requestTimeout: '1s' } }),
  ]);
  assert.equal(shown(plan, 'c')['["/api",{}]'], { requestTimeout: ['1s', 'api'], retries: [{ attempts: 1 }, 'all'] });
});

test('of wider routes the most specific applies, per field; a route for other requests does not', () => {
  const matching = (name: string, path: string, policies: TrafficPolicySpec['policy']) =>
    policy(name, { httpRequestMatchers: [{ uri: { prefix: path } }], ...(policies && { policy: policies }) });
  const plan = planTraffic([
    policy('all', { policy: { requestTimeout: '9s', retries: { attempts: 1 } } }),
    matching('api', '/api', { requestTimeout: '5s' }),
    matching('orders', '/api/orders', { mirror: { kubeService: { name: 'm', namespace: 'n', clusterName: 'c' } } }),
    matching('shop', '/shop', { retries: { attempts: 7 } }),
    policy('posts', { httpRequestMatchers: [{ method: 'POST' }], policy: { retries: { attempts: 8 } } }),
  ]);
  const { mirror: _mirror, ...orders } = shown(plan, 'c')['["/api/orders",{}]'] ?? {};
  assert.equal(orders, { requestTimeout: ['5s', 'api'], retries: [{ attempts: 1 }, 'all'] });
  assert.equal(shown(plan, 'c')['["/shop",{}]'], { requestTimeout: ['9s', 'all'], retries: [{ attempts: 7 }, 'shop'] });
});

test('a policy for callers of one cluster overrides one for all, and applies to no others', () => {
  const from = (...clusters: string[]) => [{ kubeWorkloadMatcher: { clusters } }];
  const plan = planTraffic([
    policy('all', { policy: { requestTimeout: '9s' } }),
    policy('c1', { sourceSelector: from('c1', 'c2'), policy: { requestTimeout: '1s' } }),
    policy('api', { httpRequestMatchers: api, policy: { retries: { attempts: 1 } } }),
    policy('api-c1', { httpRequestMatchers: api, sourceSelector: from('c1'), policy: { retries: { attempts: 2 } } }),
  ]);
  assert.equal(shown(plan, 'c1'), {
    '[null,{}]': { requestTimeout: ['1s', 'c1'] },
    '["/api",{}]': { requestTimeout: ['1s', 'c1'], retries: [{ attempts: 2 }, 'api-c1'] },
  });
  assert.equal(shown(plan, 'c3'), {
    '[null,{}]': { requestTimeout: ['9s', 'all'] },
    '["/api",{}]': { requestTimeout: ['9s', 'all'], retries: [{ attempts: 1 }, 'api'] },
  });
});

test('overrides for callers of one cluster are recorded, and equal values belong to both policies', () => {
  const of = (name: string) => ({ kind: 'TrafficPolicy', cluster: '', namespace: 'n', name });
  const plan = planTraffic([
    policy('all', { policy: { requestTimeout: '9s', retries: { attempts: 2 } } }),
    policy('c1', {
      sourceSelector: [{ kubeWorkloadMatcher: { clusters: ['c1'] } }],
      policy: { requestTimeout: '1s', retries: { attempts: 2 } },
    }),
  ]);
  assert.equal(shown(plan, 'c1'), {
    '[null,{}]': { requestTimeout: ['1s', 'c1'], retries: [{ attempts: 2 }, 'all,c1'] },
  });
  assert.equal(planForCallers(plan, 'c1').overridden, [
    { field: 'requestTimeout', policies: [of('all')], by: [of('c1')] },
  ]);
  assert.equal(planForCallers(plan, 'c2').overridden, []);
  const { routes, overridden } = planForCallers(plan, 'c1', [of('c1')]);
  assert.equal(
    routes.map(({ fields }) => fields),
    [{ requestTimeout: { value: '9s', from: [of('all')] }, retries: { value: { attempts: 2 }, from: [of('all')] } }],
  );
  assert.equal(overridden, []);
});

test('overlapping lists of clusters conflict in the common cluster', () => {
  const plan = planTraffic([
    policy('a', {
      sourceSelector: [{ kubeWorkloadMatcher: { clusters: ['c1', 'c2'] } }],
      policy: { requestTimeout: '1s' },
    }),
    policy('b', {
      sourceSelector: [{ kubeWorkloadMatcher: { clusters: ['c2', 'c3'] } }],
      policy: { requestTimeout: '2s' },
    }),
  ]);
  assert.equal(states(plan), { a: 'ACCEPTED', b: 'CONFLICT' });
});

test('a policy of a workload cluster applies to its own callers only', () => {
  const plan = planTraffic([
    policy('own', { policy: { requestTimeout: '1s', connectionPool: { tcp: { maxConnections: 1 } } } }, 'c1'),
    policy('all', { policy: { retries: { attempts: 1 } } }),
  ]);
  assert.equal(shown(plan, 'c1')['[null,{}]'], { requestTimeout: ['1s', 'own'], retries: [{ attempts: 1 }, 'all'] });
  assert.equal(shown(plan, 'c2')['[null,{}]'], { retries: [{ attempts: 1 }, 'all'] });
  assert.equal(Object.keys(visibleFields(plan.connection, 'c1', [])), ['connectionPool']);
  assert.equal(Object.keys(visibleFields(plan.connection, 'c2', [])), []);
});

test('the acceptance of a policy never depends on later policies', () => {
  const spec: fc.Arbitrary<TrafficPolicySpec> = fc.record(
    {
      httpRequestMatchers: fc.constantFrom([], api, [{ method: 'GET' }]),
      sourceSelector: fc.constantFrom(
        [],
        [{ kubeWorkloadMatcher: { clusters: ['c1'] } }],
        [{ kubeWorkloadMatcher: { namespaces: ['x', 'y'] } }],
      ),
      policy: fc.record(
        {
          requestTimeout: fc.constantFrom('1s', '2s'),
          retries: fc.constantFrom({ attempts: 1 }, { attempts: 2 }),
          mtls: fc.constantFrom({ istio: { tlsMode: 'DISABLE' as const } }, {}),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(spec, { maxLength: 6 }), (specs) => {
      const policies = specs.map((one, index) => policy(`p${index}`, one));
      const all = states(planTraffic(policies));
      policies.forEach((_, index) => {
        assert.is(states(planTraffic(policies.slice(0, index + 1)))[`p${index}`], all[`p${index}`]);
      });
    }),
  );
});

test('callers of clusters that a plan does not distinguish share the same routes', () => {
  const plan = planTraffic([
    policy('for-all', { policy: { requestTimeout: '1s' } }),
    policy('at-home', { httpRequestMatchers: api, policy: { requestTimeout: '2s' } }, 'home'),
    policy('by-source', {
      sourceSelector: [{ kubeWorkloadMatcher: { clusters: ['named'] } }],
      policy: { retries: { attempts: 1 } },
    }),
  ]);
  assert.is(planForCallers(plan, 'one'), planForCallers(plan, 'another'));
  assert.equal(Object.keys(shown(plan, 'one')), ['[null,{}]']);
  assert.equal(Object.keys(shown(plan, 'home')).length, 2);
  assert.equal(shown(plan, 'named'), {
    '[null,{}]': { requestTimeout: ['1s', 'for-all'], retries: [{ attempts: 1 }, 'by-source'] },
  });
});

test.run();
