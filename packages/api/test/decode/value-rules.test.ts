// Values that break a rule become reports, each naming its field; the object itself is still decoded.
import { assert, test } from '@meshrelay/testing';
import {
  decodeObject,
  INVALID_VALUE,
  type KindName,
  kinds,
  MAX_STATUS_REPORTS,
  type Report,
  validateObject,
} from '../../src/mod.ts';

const ref = { name: 'reviews', namespace: 'bookinfo', clusterName: 'cluster-1' };
const mesh = { name: 'istiod-istio-system-cluster-1', namespace: 'meshrelay' };
/** Path of the one account in {@link accounts}. */
const ACCOUNT = 'spec.sourceSelector[0].kubeServiceAccountRefs.serviceAccounts[0]';
const target = { kubeService: ref, weight: 100 };

/** A kind, a spec with one fault, the reported field, and words of the message. */
const FAULTS: readonly (readonly [KindName, object, string, RegExp])[] = [
  ['TrafficPolicy', policy({ retries: { attempts: -1 } }), 'spec.policy.retries.attempts', /at least 0, got -1/],
  [
    'TrafficPolicy',
    policy({ retries: { attempts: 1, perTryTimeout: '999us' } }),
    'spec.policy.retries.perTryTimeout',
    /at least 1ms/,
  ],
  [
    'TrafficPolicy',
    policy({ retries: { attempts: 1, retryOn: ['5XX'] } }),
    'spec.policy.retries.retryOn[0]',
    /connect-failure/,
  ],
  ['TrafficPolicy', policy({ requestTimeout: '1 second' }), 'spec.policy.requestTimeout', /duration .* got "1 second"/],
  [
    'TrafficPolicy',
    policy({ headerManipulation: { appendRequestHeaders: { Host: 'a.example' } } }),
    'spec.policy.headerManipulation.appendRequestHeaders',
    /not Host/,
  ],
  [
    'TrafficPolicy',
    policy({ headerManipulation: { removeRequestHeaders: ['host'] } }),
    'spec.policy.headerManipulation.removeRequestHeaders[0]',
    /other than Host.*got "host"/,
  ],
  [
    'VirtualMesh',
    {
      meshes: [mesh],
      mtlsConfig: { shared: { rootCertificateAuthority: { generated: { rsaKeySizeBytes: 8192 } } } },
    },
    'spec.mtlsConfig.shared.rootCertificateAuthority.generated.rsaKeySizeBytes',
    /at most 4096, got 8192/,
  ],
  ['TrafficPolicy', policy({ requestTimeout: '-1s' }), 'spec.policy.requestTimeout', /duration/],
  ['TrafficPolicy', policy({ requestTimeout: '0s' }), 'spec.policy.requestTimeout', /at least 1ms/],
  ['TrafficPolicy', policy({ faultInjection: {} }), 'spec.policy.faultInjection', /exactly one of fixedDelay, abort/],
  [
    'TrafficPolicy',
    policy({ faultInjection: { fixedDelay: '1s', abort: { httpStatus: 503 } } }),
    'spec.policy.faultInjection',
    /exactly one/,
  ],
  [
    'TrafficPolicy',
    policy({ faultInjection: { fixedDelay: '1s', percentage: 100.5 } }),
    'spec.policy.faultInjection.percentage',
    /at most 100/,
  ],
  [
    'TrafficPolicy',
    policy({ faultInjection: { fixedDelay: '1s', percentage: 0.00001 } }),
    'spec.policy.faultInjection.percentage',
    /0 or at least 0.0001/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ headers: [{ name: ':host' }] }], policy: {} },
    'spec.httpRequestMatchers[0].headers[0].name',
    /:authority, :method, :path or :scheme/,
  ],
  [
    'TrafficPolicy',
    policy({ faultInjection: { abort: { httpStatus: 99 } } }),
    'spec.policy.faultInjection.abort.httpStatus',
    /at least 200/,
  ],
  ['VirtualDestination', virtual({ hostname: 'reviews' }), 'spec.hostname', /at least two parts/],
  ['VirtualDestination', virtual({ hostname: 'Reviews.global' }), 'spec.hostname', /lower case/],
  ['VirtualDestination', virtual({ virtualMesh: undefined }), 'spec', /exactly one of virtualMesh, meshList/],
  ['VirtualDestination', virtual({ meshList: { meshes: [mesh] } }), 'spec', /exactly one of virtualMesh, meshList/],
  ['VirtualDestination', virtual({ static: undefined }), 'spec', /exactly one of static, localized/],
  ['VirtualDestination', virtual({ localized: {} }), 'spec', /exactly one of static, localized/],
  ['VirtualDestination', virtual({ static: { destinations: [] } }), 'spec.static.destinations', /at least 1 item/],
  [
    'VirtualDestination',
    virtual({ port: { number: 80, protocol: 'HTTP', targetName: 'http', targetNumber: 80 } }),
    'spec.port',
    /not have both targetName and targetNumber/,
  ],
  ['VirtualDestination', virtual({ port: { number: 80, protocol: 'UDP' } }), 'spec.port.protocol', /MONGO/],
  [
    'VirtualDestination',
    directed({ region: 'us-east', subZone: 'x' }),
    'spec.localized.failoverDirectives[0].from',
    /zone/,
  ],
  ['VirtualDestination', directed({ region: 'us/east' }), 'spec.localized.failoverDirectives[0].from.region', /label/],
  [
    'TrafficPolicy',
    shift([{ ...target, weight: 0 }]),
    'spec.policy.trafficShift.destinations',
    /weight above 0; each is 0/,
  ],
  [
    'TrafficPolicy',
    shift([{ ...target, weight: 1_000_001 }]),
    'spec.policy.trafficShift.destinations[0].weight',
    /1000000/,
  ],
  ['TrafficPolicy', shift([target, { ...target, weight: -1 }]), 'spec.policy.trafficShift.destinations[1].weight', /0/],
  ['TrafficPolicy', shift([]), 'spec.policy.trafficShift.destinations', /at least 1 item/],
  [
    'TrafficPolicy',
    shift([{ weight: 100 }]),
    'spec.policy.trafficShift.destinations[0]',
    /exactly one of kubeService, virtualDestination/,
  ],
  [
    'TrafficPolicy',
    shift([{ ...target, virtualDestination: ref2() }]),
    'spec.policy.trafficShift.destinations[0]',
    /exactly one/,
  ],
  [
    'TrafficPolicy',
    shift([{ weight: 100, kubeService: { ...ref, port: 70_000 } }]),
    'spec.policy.trafficShift.destinations[0].kubeService.port',
    /at most 65535/,
  ],
  [
    'TrafficPolicy',
    shift([{ weight: 100, kubeService: { ...ref, subset: { 'a b': 'c' } } }]),
    'spec.policy.trafficShift.destinations[0].kubeService.subset',
    /labels/,
  ],
  [
    'TrafficPolicy',
    policy({ corsPolicy: { allowMethods: ['get'] } }),
    'spec.policy.corsPolicy.allowMethods[0]',
    /HTTP method/,
  ],
  [
    'TrafficPolicy',
    policy({ corsPolicy: { allowOrigins: [{}] } }),
    'spec.policy.corsPolicy.allowOrigins[0]',
    /exactly one of exact, prefix, regex, suffix/,
  ],
  [
    'TrafficPolicy',
    policy({ corsPolicy: { allowHeaders: ['x y'] } }),
    'spec.policy.corsPolicy.allowHeaders[0]',
    /HTTP header/,
  ],
  [
    'TrafficPolicy',
    policy({ headerManipulation: { appendRequestHeaders: { 'x y': 'z' } } }),
    'spec.policy.headerManipulation.appendRequestHeaders',
    /HTTP headers/,
  ],
  [
    'TrafficPolicy',
    policy({ headerManipulation: { appendRequestHeaders: { x: 'a\r\nb' } } }),
    'spec.policy.headerManipulation.appendRequestHeaders.x',
    /one line/,
  ],
  [
    'TrafficPolicy',
    policy({ mirror: { kubeService: { ...ref, clusterName: '' } } }),
    'spec.policy.mirror.kubeService.clusterName',
    /not be empty/,
  ],
  [
    'TrafficPolicy',
    policy({ mtls: { istio: { tlsMode: 'ISTIO_MUTAL' } } }),
    'spec.policy.mtls.istio.tlsMode',
    /one of DISABLE, SIMPLE, ISTIO_MUTUAL, got "ISTIO_MUTAL"; did you mean ISTIO_MUTUAL/,
  ],
  [
    'TrafficPolicy',
    policy({ outlierDetection: { maxEjectionPercent: 101 } }),
    'spec.policy.outlierDetection.maxEjectionPercent',
    /at most 100/,
  ],
  [
    'TrafficPolicy',
    policy({ localRateLimit: { requestsPerUnit: 0, unit: 'SECOND' } }),
    'spec.policy.localRateLimit.requestsPerUnit',
    /at least 1/,
  ],
  [
    'TrafficPolicy',
    policy({ connectionPool: { tcp: { tcpKeepalive: { probes: 0 } } } }),
    'spec.policy.connectionPool.tcp.tcpKeepalive.probes',
    /at least 1/,
  ],
  [
    'TrafficPolicy',
    { sourceSelector: [{ kubeWorkloadMatcher: {} }], policy: { outlierDetection: {} } },
    'spec.sourceSelector',
    /outlierDetection/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ method: 'FETCH' }] },
    'spec.httpRequestMatchers[0].method',
    /HTTP method/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ uri: { regex: '(?=a)' } }] },
    'spec.httpRequestMatchers[0].uri.regex',
    /RE2 syntax: \(\?= is look-around/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ uri: { regex: 'a', ignoreCase: true } }] },
    'spec.httpRequestMatchers[0].uri.ignoreCase',
    /\(\?i\)/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ uri: { exact: '/a', prefix: '/b' } }] },
    'spec.httpRequestMatchers[0].uri',
    /exactly one/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ uri: { prefix: 'api' } }] },
    'spec.httpRequestMatchers[0].uri.prefix',
    /a path such as \/reviews, .* got "api"/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ uri: { exact: '/search?q=a' } }] },
    'spec.httpRequestMatchers[0].uri.exact',
    /without a query string/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ headers: [{ name: 'a b' }] }] },
    'spec.httpRequestMatchers[0].headers[0].name',
    /header/,
  ],
  [
    'TrafficPolicy',
    { httpRequestMatchers: [{ headers: [{ name: 'a', value: '(', regex: true }] }] },
    'spec.httpRequestMatchers[0].headers[0].value',
    /RE2/,
  ],
  [
    'TrafficPolicy',
    { destinationSelector: [{ kubeServiceRefs: { services: [] } }] },
    'spec.destinationSelector[0].kubeServiceRefs.services',
    /at least 1 item/,
  ],
  ['AccessPolicy', { allowedPaths: ['a'] }, 'spec.allowedPaths[0]', /\/prefix\*/],
  ['AccessPolicy', { allowedPaths: ['/a*b*'] }, 'spec.allowedPaths[0]', /at most one \*/],
  [
    'AccessPolicy',
    accounts({ name: 'product*', namespace: 'shop' }),
    `${ACCOUNT}.name`,
    /the exact name.* got "product\*"/,
  ],
  ['AccessPolicy', accounts({ name: 'shop', namespace: '*' }), `${ACCOUNT}.namespace`, /omit it for any/],
  [
    'AccessPolicy',
    { action: 'DENY', sourceSelector: [{ kubeIdentityMatcher: { namespaces: ['*'] } }] },
    'spec.sourceSelector[0].kubeIdentityMatcher.namespaces[0]',
    /the exact name/,
  ],
  [
    'AccessPolicy',
    { sourceSelector: [{ kubeIdentityMatcher: { trustDomains: ['*'] } }] },
    'spec.sourceSelector[0].kubeIdentityMatcher.trustDomains[0]',
    /the exact name/,
  ],
  ['AccessPolicy', { allowedMethods: ['*'] }, 'spec.allowedMethods[0]', /HTTP method/],
  ['AccessPolicy', { allowedPorts: [0] }, 'spec.allowedPorts[0]', /at least 1/],
  ['AccessPolicy', { action: 'allow' }, 'spec.action', /one of ALLOW, DENY, AUDIT.*did you mean ALLOW/],
  [
    'AccessPolicy',
    { unauthenticated: true, sourceSelector: [{ kubeIdentityMatcher: {} }] },
    'spec.unauthenticated',
    /sourceSelector/,
  ],
  ['VirtualMesh', { meshes: [] }, 'spec.meshes', /at least 1 item/],
  ['VirtualMesh', { meshes: [ref2(), ref2()] }, 'spec.meshes', /each mesh once/],
  [
    'VirtualMesh',
    virtualMesh({ globalAccessPolicy: 'ON' }),
    'spec.globalAccessPolicy',
    /MESH_DEFAULT, ENABLED, DISABLED/,
  ],
  [
    'VirtualMesh',
    virtualMesh({ mtlsConfig: { shared: {}, limited: {} } }),
    'spec.mtlsConfig',
    /both shared and limited/,
  ],
  [
    'VirtualMesh',
    virtualMesh({ mtlsConfig: { shared: { rootCertificateAuthority: { generated: {}, secret: ref2() } } } }),
    'spec.mtlsConfig.shared.rootCertificateAuthority',
    /both/,
  ],
  [
    'VirtualMesh',
    virtualMesh({ mtlsConfig: { shared: { intermediateCertOptions: { secretRotationGracePeriodRatio: 1 } } } }),
    'spec.mtlsConfig.shared.intermediateCertOptions.secretRotationGracePeriodRatio',
    /below 1/,
  ],
  [
    'VirtualMesh',
    virtualMesh({ federation: { hostnameSuffix: 'Global!' } }),
    'spec.federation.hostnameSuffix',
    /DNS name/,
  ],
  ['VirtualMesh', virtualMesh({ federation: { mode: 'SOME' } }), 'spec.federation.mode', /SELECTED, ALL, NONE/],
  ['KubernetesCluster', { clusterDomain: '.local' }, 'spec.clusterDomain', /DNS name/],
  ['Settings', { mtls: { istio: { tlsMode: 'ON' } } }, 'spec.mtls.istio.tlsMode', /one of/],
];

for (const [kind, spec, field, message] of FAULTS) {
  test(`${kind} ${JSON.stringify(spec).slice(0, 90)} is reported`, () => {
    const reports = reportsOn(kind, spec);
    const report = reports.find((candidate) => candidate.field === field);
    assert.ok(report, JSON.stringify(reports));
    assert.is(report.code, INVALID_VALUE);
    assert.is(report.severity, 'error');
    assert.match(report.message, message);
    assert.match(report.message, new RegExp(`^${kind} meshrelay/sample: `));
    assert.equal(
      reports.filter((other) => other.field !== field),
      [],
    );
  });
}

/** Specs at the limits of the rules. */
const PROPER: readonly (readonly [KindName, object])[] = [
  ['TrafficPolicy', {}],
  ['TrafficPolicy', { sourceSelector: [], destinationSelector: [{}], httpRequestMatchers: [{}], policy: {} }],
  ['TrafficPolicy', { sourceSelector: [{}], policy: { outlierDetection: {} } }],
  [
    'TrafficPolicy',
    policy({ retries: { attempts: 0 }, requestTimeout: '1ms', faultInjection: { fixedDelay: '1h', percentage: 0 } }),
  ],
  ['TrafficPolicy', policy({ faultInjection: { abort: { httpStatus: 200 }, percentage: 99.95 } })],
  ['TrafficPolicy', policy({ faultInjection: { abort: { httpStatus: 200 }, percentage: 0.0001 } })],
  [
    'TrafficPolicy',
    shift([
      { ...target, weight: 0 },
      { virtualDestination: ref2(), weight: 100 },
    ]),
  ],
  ['TrafficPolicy', shift([{ kubeService: ref }])],
  ['TrafficPolicy', shift([{ ...target, weight: 0 }, { virtualDestination: ref2() }])],
  ['TrafficPolicy', shift([target, { ...target, weight: 1_000_000 }])],
  [
    'TrafficPolicy',
    policy({ corsPolicy: { allowMethods: ['*', 'GET', 'PROPFIND'], allowOrigins: [{ regex: '(?i)a+' }] } }),
  ],
  [
    'TrafficPolicy',
    {
      httpRequestMatchers: [
        { headers: [{ name: ':authority', invertMatch: true }], uri: { suffix: '/x', ignoreCase: true } },
      ],
    },
  ],
  ['AccessPolicy', {}],
  ['AccessPolicy', { allowedPaths: ['/a', '/a*', '*a', '*', '/'], sourceSelector: [{}], unauthenticated: true }],
  ['VirtualMesh', virtualMesh({ mtlsConfig: { shared: {} }, federation: {} })],
  ['VirtualMesh', virtualMesh({ mtlsConfig: { limited: {}, strict: true } })],
];

for (const [kind, spec] of PROPER) {
  test(`${kind} ${JSON.stringify(spec).slice(0, 90)} is valid`, () => {
    assert.equal(reportsOn(kind, spec), []);
  });
}

test('at most as many reports as a status lists', () => {
  const allowedPorts = Array.from({ length: 80 }, () => 0);
  assert.is(reportsOn('AccessPolicy', { allowedPorts }).length, MAX_STATUS_REPORTS);
});

test('validateObject reports the same as decodeObject', () => {
  const decoded = decodeObject(objectOf('TrafficPolicy', policy({ requestTimeout: 'soon' })));
  assert.ok(decoded.object);
  assert.is(decoded.reports.length, 1);
  assert.equal(validateObject(decoded.object), decoded.reports);
});

test('the name of an object must be valid in Kubernetes', () => {
  const decoded = decodeObject({ ...objectOf('AccessPolicy', {}), metadata: { name: 'A_b', labels: { 'a b': 'c' } } });
  assert.equal(
    decoded.reports?.map(({ field }) => field),
    ['metadata.name', 'metadata.labels'],
  );
});

test('the name of a KubernetesCluster is a DNS label', () => {
  for (const [name, expected] of [
    ['us-east', []],
    ['a'.repeat(63), []],
    ['us.east', ['metadata.name']],
    ['a'.repeat(64), ['metadata.name']],
  ] as const) {
    const { reports = [] } = decodeObject({ ...objectOf('KubernetesCluster', {}), metadata: { name } });
    assert.equal(
      reports.map(({ field }) => field),
      expected,
      name,
    );
    for (const { message } of reports) assert.match(message, 'must be a DNS label');
  }
});

function reportsOn(kind: KindName, spec: object): readonly Report[] {
  const decoded = decodeObject(objectOf(kind, spec));
  assert.is(decoded.problems, undefined, JSON.stringify(decoded.problems));
  return decoded.reports ?? [];
}

function objectOf(kind: KindName, spec: object): object {
  const { group, version } = kinds.find((definition) => definition.kind === kind) ?? { group: '', version: '' };
  return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'sample', namespace: 'meshrelay' }, spec };
}

function accounts(account: object): object {
  return { sourceSelector: [{ kubeServiceAccountRefs: { serviceAccounts: [account] } }] };
}

function policy(rules: object): object {
  return { policy: rules };
}

function shift(destinations: readonly object[]): object {
  return policy({ trafficShift: { destinations } });
}

/** A valid one, with other fields; undefined removes a field. */
function virtual(fields: object): object {
  const spec = {
    hostname: 'reviews.global',
    port: { number: 9080, protocol: 'HTTP' },
    virtualMesh: { name: 'all', namespace: 'meshrelay' },
    static: { destinations: [{ kubeService: ref }] },
    ...fields,
  };
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
}

function directed(from: object): object {
  const failoverDirectives = [{ from, to: [{ region: 'us-west' }] }];
  return virtual({ static: undefined, localized: { failoverDirectives } });
}

function virtualMesh(spec: object): object {
  return { meshes: [ref2()], ...spec };
}

function ref2(): object {
  return { name: 'istiod-istio-system-cluster-1', namespace: 'meshrelay' };
}

test.run();
