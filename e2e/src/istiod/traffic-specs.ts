/** Random TrafficPolicies, most of which apply to some requests to one Service. */
import fc from 'fast-check';

const one = fc.constantFrom;
const service = (name: string): object => ({ name, namespace: 'shop', clusterName: 'cluster-1' });
/** Only callers of its own cluster can be sent there. */
const AWAY = { name: 'away', namespace: 'shop', clusterName: 'cluster-2' };

/** Selectors of callers, of two clusters. */
export const CALLERS: fc.Arbitrary<object> = fc
  .record({
    labels: one(undefined, undefined, { tier: 'front' }, { tier: 'back' }),
    namespaces: one(undefined, undefined, ['front'], ['batch'], ['front', 'batch']),
    clusters: one(undefined, undefined, ['cluster-1'], ['cluster-2'], ['cluster-2', 'cluster-1']),
  })
  .map((kubeWorkloadMatcher) => ({ kubeWorkloadMatcher: given(kubeWorkloadMatcher) }));

/** Matchers of requests. */
export const MATCHERS: fc.Arbitrary<object> = fc
  .record({
    uri: one(
      ...[undefined, undefined, undefined],
      ...[{ prefix: '/a' }, { prefix: '/a/' }, { prefix: '/' }, { prefix: '/A', ignoreCase: true }],
      ...[{ exact: '/a' }, { exact: '/a/b' }, { exact: '/A', ignoreCase: true }],
      ...[{ suffix: '.js' }, { suffix: '/b' }, { suffix: '.JS', ignoreCase: true }],
      ...[{ regex: '/a.*' }, { regex: '/[ab]' }, { regex: '(?i)/A' }],
    ),
    method: one(undefined, undefined, undefined, 'GET', 'POST'),
    headers: one(
      ...[undefined, undefined, undefined, undefined],
      ...[[{ name: 'x-user' }], [{ name: 'X-User', value: 'ann' }], [{ name: 'x-user', value: 'a.*', regex: true }]],
      ...[[{ name: 'x-user', invertMatch: true }], [{ name: 'x-user', value: 'ann', invertMatch: true }]],
      ...[
        [{ name: 'x-user', value: 'b.*', regex: true, invertMatch: true }],
        [{ name: 'x-user' }, { name: 'x-on', value: '1' }],
      ],
    ),
    queryParameters: one(
      ...[undefined, undefined, undefined, undefined],
      ...[
        [{ name: 'q' }],
        [{ name: 'q', value: '1' }],
        [{ name: 'q', value: '2+', regex: true }],
        [{ name: 'on' }, { name: 'q' }],
      ],
    ),
  })
  .map(given);

const rules = fc
  .subarray(['timeout', 'retries', 'fault', 'mirror', 'headers', 'cors', 'shift'] as const, {
    minLength: 1,
    maxLength: 2,
  })
  .chain((fields) => fc.record(Object.fromEntries(fields.map((field) => [NAMES[field], VALUES[field]]))));

const NAMES = {
  timeout: 'requestTimeout',
  retries: 'retries',
  fault: 'faultInjection',
  mirror: 'mirror',
  headers: 'headerManipulation',
  cors: 'corsPolicy',
  shift: 'trafficShift',
} as const;

const VALUES: Readonly<Record<keyof typeof NAMES, fc.Arbitrary<object | string>>> = {
  timeout: one('1s', '2s'),
  retries: one({ attempts: 0 }, { attempts: 5 }),
  fault: one<object>(
    { fixedDelay: '3s' },
    { abort: { httpStatus: 418 } },
    { abort: { httpStatus: 418 }, percentage: 25 },
  ),
  mirror: one(service('other'), service('third'), AWAY).map((kubeService) => ({ kubeService })),
  headers: one('1', '2').map((value) => ({ appendRequestHeaders: { 'x-tried': value } })),
  cors: one('https://one.example', 'https://two.example').map((exact) => ({ allowOrigins: [{ exact }] })),
  shift: one<object>(
    { destinations: [{ weight: 100, kubeService: service('other') }] },
    {
      destinations: [
        { weight: 90, kubeService: service('api') },
        { weight: 10, kubeService: service('third') },
      ],
    },
    {
      destinations: [
        { kubeService: service('api') },
        { weight: 2, kubeService: service('third') },
        { weight: 0, kubeService: service('other') },
      ],
    },
    { destinations: [{ kubeService: AWAY }] },
  ),
};

/** Specs about `shop/api` of `cluster-1`; some send requests to `shop/away` of `cluster-2`. */
export const trafficSpecs: fc.Arbitrary<object> = fc
  .record({
    sourceSelector: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constant([{ kubeWorkloadMatcher: { clusters: ['cluster-1'] } }]) },
      { weight: 2, arbitrary: fc.array(CALLERS, { maxLength: 2 }) },
    ),
    httpRequestMatchers: fc.oneof(fc.constant([]), fc.array(MATCHERS, { maxLength: 2 })),
    policy: rules,
  })
  .map((spec) => ({ ...spec, destinationSelector: [{ kubeServiceRefs: { services: [service('api')] } }] }));

function given(fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
