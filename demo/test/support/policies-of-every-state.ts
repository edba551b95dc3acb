/** Policies in addition to the demo's that reach every possible state. */

const GROUPS: Readonly<Record<string, string>> = { WasmDeployment: 'extensions', AccessLogRecord: 'extensions' };

function policy(kind: string, name: string, spec: object, namespace = 'meshrelay'): object {
  const apiVersion = `${GROUPS[kind] ?? 'networking'}.meshrelay.dev/v1alpha1`;
  return { apiVersion, kind, metadata: { name, namespace }, spec };
}

function service(name: string, clusterName: string, namespace = 'bookshop'): object {
  return { name, namespace, clusterName };
}

function only(...services: readonly object[]): readonly object[] {
  return [{ kubeServiceRefs: { services } }];
}

const RATINGS = ['cluster-1', 'cluster-2'].map((cluster) => service('ratings', cluster));

/** For the management cluster. */
export const POLICIES_OF_EVERY_STATE: readonly object[] = [
  // The demo's own canary already handles the requests.
  policy('TrafficPolicy', 'reviews-conflicting', {
    destinationSelector: only(service('reviews', 'cluster-1')),
    policy: { trafficShift: { destinations: [{ weight: 100, kubeService: service('reviews', 'cluster-2') }] } },
  }),
  // That Service does not exist.
  policy('TrafficPolicy', 'mirror-to-missing', {
    destinationSelector: only(service('catalog', 'cluster-1')),
    policy: { mirror: { kubeService: service('missing', 'cluster-1') } },
  }),
  // Connection settings apply to callers of all clusters, and the callers of cluster-2 cannot reach the mirror's
  // target.
  policy('TrafficPolicy', 'half-of-it', {
    sourceSelector: [{ kubeWorkloadMatcher: { clusters: ['cluster-2'] } }],
    destinationSelector: only(service('catalog', 'cluster-1')),
    policy: { mirror: { kubeService: service('missing', 'cluster-2') }, mtls: { istio: { tlsMode: 'ISTIO_MUTUAL' } } },
  }),
  policy('TrafficPolicy', 'refused', {
    sourceSelector: [{ kubeWorkloadMatcher: { namespaces: ['bookshop'] } }],
    destinationSelector: only(service('catalog', 'cluster-1')),
    policy: { outlierDetection: {} },
  }),
  policy('TrafficPolicy', 'more-than-osm-has', {
    destinationSelector: [{ kubeServiceMatcher: { clusters: ['cluster-3'] } }],
    policy: { corsPolicy: { allowOrigins: [{ exact: 'https://books.example' }] }, retries: { attempts: 2 } },
  }),
  policy('TrafficPolicy', 'of-missing', { destinationSelector: only(service('missing', 'cluster-1')), policy: {} }),
  policy('AccessPolicy', 'strangers', {
    sourceSelector: [{ kubeIdentityMatcher: { trustDomains: ['elsewhere.example'] } }],
    destinationSelector: only(...RATINGS),
  }),
  policy('VirtualDestination', 'ratings-anywhere', {
    hostname: 'ratings.anywhere',
    port: { number: 80, protocol: 'HTTP', targetNumber: 8080 },
    virtualMesh: { name: 'bookshop', namespace: 'meshrelay' },
    static: { destinations: RATINGS.map((kubeService) => ({ kubeService })) },
  }),
  policy('WasmDeployment', 'modules', {
    workloadSelectors: [{ kubeWorkloadMatcher: { namespaces: ['bookshop'] } }],
    filters: [
      { wasmImageSource: { wasmImageTag: 'modules.example/count:v1' } },
      { configMapSource: { name: 'modules' } },
    ],
  }),
  policy('AccessLogRecord', 'errors', {
    workloadSelectors: [{ kubeWorkloadMatcher: { namespaces: ['bookshop'] } }],
    filters: [{ statusCodeMatcher: { value: 500, comparator: 'GE' } }],
  }),
];

/** For a workload cluster: one for its own Services, one that refers to another cluster's. */
export const POLICIES_IN_WEST: readonly object[] = [
  policy(
    'TrafficPolicy',
    'own-ratings',
    { destinationSelector: only(service('ratings', 'cluster-2')), policy: { requestTimeout: '3s' } },
    'bookshop',
  ),
  policy(
    'TrafficPolicy',
    'others-ratings',
    { destinationSelector: only(...RATINGS), policy: { retries: { attempts: 2 } } },
    'bookshop',
  ),
];
