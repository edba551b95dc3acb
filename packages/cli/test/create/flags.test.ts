/** `meshctl create` by flags, on files: the objects, and what is refused. Nothing is asked. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { parseShift, shiftText } from '../../src/create/shift.ts';
import { createHere } from '../support/create-here.ts';
import type { Result } from '../support/run-here.ts';
import { CLUSTERS, MANAGEMENT } from '../support/sample-fleet.ts';

const FLEET = [...CLUSTERS.flatMap((cluster) => ['--cluster', cluster]), '--config', MANAGEMENT];

const folder = temporaryFolder();
process.on('exit', () => folder[Symbol.dispose]());

const create = (...args: readonly string[]): Promise<Result> => createHere([...args, ...FLEET], folder.path);

async function spec(...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await create(...args, '-o', 'json');
  assert.ok(code === 0 || code === 2, stderr);
  return (JSON.parse(stdout) as { readonly spec: unknown }).spec;
}

test('a TrafficPolicy with a traffic shift: the plan on stderr, YAML without defaults on stdout', async () => {
  const { code, stdout, stderr } = await create(
    ...['trafficpolicy', 'reviews-canary', '--destination', 'cluster-1/bookshop/reviews', '-o', 'yaml'],
    ...['--shift', '90=cluster-1/bookshop/reviews,version=v1', '--shift', '10=cluster-1/bookshop/reviews,version=v2'],
  );
  assert.is(code, 0, stderr);
  assert.match(stderr, /^2 clusters, 1 destination: 4 to create, 2 to change, 0 to delete\n/);
  assert.match(stderr, 'TrafficPolicy meshrelay/reviews-canary   created   ACCEPTED');
  const reviews = { name: 'reviews', namespace: 'bookshop', clusterName: 'cluster-1' };
  assert.equal(parse(stdout), {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name: 'reviews-canary', namespace: 'meshrelay' },
    spec: {
      destinationSelector: [{ kubeServiceRefs: { services: [reviews] } }],
      policy: {
        trafficShift: {
          destinations: [
            { weight: 90, kubeService: { ...reviews, subset: { version: 'v1' } } },
            { weight: 10, kubeService: { ...reviews, subset: { version: 'v2' } } },
          ],
        },
      },
    },
  });
});

test('every other flag of a TrafficPolicy is a field', async () => {
  const effects = await spec(
    ...['trafficpolicy', 'bookshop/slow', '--destination', 'all', '--path-prefix', '/search', '--timeout', '10s'],
    ...['--retries', '2', '--per-try-timeout', '3s', '--abort', '503', '--fault-percent', '0.5'],
    ...['--add-request-header', 'x-tenant=shop=1', '--remove-request-header', 'x-debug'],
    ...['--add-response-header', 'x-served-by=reviews', '--remove-response-header', 'server'],
    ...['--source', 'cluster-1/bookshop/storefront-v1'],
  );
  assert.equal(effects, {
    sourceSelector: [
      {
        kubeWorkloadMatcher: {
          labels: { app: 'storefront', version: 'v1' },
          namespaces: ['bookshop'],
          clusters: ['cluster-1'],
        },
      },
    ],
    httpRequestMatchers: [{ uri: { prefix: '/search' } }],
    policy: {
      faultInjection: { abort: { httpStatus: 503 }, percentage: 0.5 },
      requestTimeout: '10s',
      retries: { attempts: 2, perTryTimeout: '3s' },
      headerManipulation: {
        removeResponseHeaders: ['server'],
        appendResponseHeaders: { 'x-served-by': 'reviews' },
        removeRequestHeaders: ['x-debug'],
        appendRequestHeaders: { 'x-tenant': 'shop=1' },
      },
    },
  });
});

test('an AccessPolicy', async () => {
  assert.equal(
    await spec(
      ...[
        'accesspolicy',
        'reads',
        '--source',
        'cluster-1/bookshop/storefront',
        '--destination',
        'cluster-1/bookshop/reviews',
      ],
      ...['--method', 'GET', '--path', '/reviews/*', '--action', 'deny'],
    ),
    {
      sourceSelector: [
        {
          kubeServiceAccountRefs: {
            serviceAccounts: [{ name: 'storefront', namespace: 'bookshop', clusterName: 'cluster-1' }],
          },
        },
      ],
      destinationSelector: [
        { kubeServiceRefs: { services: [{ name: 'reviews', namespace: 'bookshop', clusterName: 'cluster-1' }] } },
      ],
      action: 'DENY',
      allowedMethods: ['GET'],
      allowedPaths: ['/reviews/*'],
    },
  );
  assert.equal(await spec('accesspolicy', 'any', '--source', 'all', '--destination', 'all', '--action', 'allow'), {});
});

test('a VirtualDestination', async () => {
  const backends = ['--backend', 'cluster-2/bookshop/reviews', '--backend', 'cluster-1/bookshop/reviews'];
  const named = ['virtualdestination', 'reviews', ...backends, '--hostname', 'reviews.global'];
  const services = ['cluster-2', 'cluster-1'].map((clusterName) => ({
    name: 'reviews',
    namespace: 'bookshop',
    clusterName,
  }));
  assert.equal(await spec(...named, '--port', '8080', '--virtual-mesh', 'bookshop'), {
    hostname: 'reviews.global',
    port: { number: 8080, protocol: 'HTTP' },
    virtualMesh: { name: 'bookshop', namespace: 'meshrelay' },
    localized: { destinationSelectors: [{ kubeServiceRefs: { services } }] },
  });
  assert.equal(
    await spec(
      ...[...named, '--port', '80', '--target-port', '8080', '--protocol', 'GRPC', '--failover', 'order'],
      ...['--mesh', 'istiod-istio-system-cluster-1'],
    ),
    {
      hostname: 'reviews.global',
      port: { number: 80, protocol: 'GRPC', targetNumber: 8080 },
      meshList: { meshes: [{ name: 'istiod-istio-system-cluster-1', namespace: 'meshrelay' }] },
      static: { destinations: services.map((kubeService) => ({ kubeService })) },
    },
  );
});

test('a VirtualMesh', async () => {
  const members = ['--mesh', 'istiod-istio-system-cluster-1', '--mesh', 'istiod-istio-system-cluster-2'];
  const meshes = ['cluster-1', 'cluster-2'].map((cluster) => ({
    name: `istiod-istio-system-${cluster}`,
    namespace: 'meshrelay',
  }));
  const CASES: ReadonlyArray<readonly [flags: readonly string[], fields: object]> = [
    [[], {}],
    [['--trust', 'unchanged', '--federation', 'none'], {}],
    [['--trust', 'generated', '--federation', 'all'], { mtlsConfig: { shared: {} }, federation: { mode: 'ALL' } }],
    [
      ['--trust', 'limited', '--federate-namespace', 'bookshop'],
      {
        mtlsConfig: { limited: {} },
        federation: {
          selectors: [{ destinationSelectors: [{ kubeServiceMatcher: { namespaces: ['bookshop'] } }] }],
        },
      },
    ],
    [
      ['--root-secret', 'shop-root'],
      {
        mtlsConfig: {
          shared: { rootCertificateAuthority: { secret: { name: 'shop-root', namespace: 'meshrelay' } } },
        },
      },
    ],
  ];
  for (const [flags, fields] of CASES)
    assert.equal(await spec('virtualmesh', 'other', ...members, ...flags), { meshes, ...fields }, flags.join(' '));
});

test('--out writes a new file, in the namespace of the name', async () => {
  const args = ['trafficpolicy', 'bookshop/patient', '--destination', 'cluster-1/bookshop/reviews', '--timeout', '3s'];
  const { code, stdout, stderr } = await create(...args, '--out', 'patient.yaml');
  assert.ok(code === 0 || code === 2, stderr);
  assert.is(stdout, 'TrafficPolicy bookshop/patient is in patient.yaml; kubectl apply -f patient.yaml applies it\n');
  const written = parse(readFileSync(join(folder.path, 'patient.yaml'), 'utf8'));
  assert.equal(written.metadata, { name: 'patient', namespace: 'bookshop' });
  writeFileSync(join(folder.path, 'mine.yaml'), 'mine');
  const again = await create(...args, '--out', 'mine.yaml');
  assert.equal([again.code, again.stdout], [1, '']);
  assert.match(again.stderr, 'error: --out mine.yaml: it exists; give a new file');
  assert.is(readFileSync(join(folder.path, 'mine.yaml'), 'utf8'), 'mine');
});

const REVIEWS = ['--destination', 'cluster-1/bookshop/reviews'];
const REFUSED: ReadonlyArray<readonly [what: string, args: readonly string[], says: string]> = [
  [
    'missing answers',
    ['trafficpolicy'],
    'error: there is no terminal for questions; give a name, and --destination SERVICE, and one of --timeout, --retries, --shift, --delay, --abort, --add-request-header, --add-response-header, and --apply, --out FILE or -o yaml\n',
  ],
  ['a missing mesh', ['virtualmesh', 'a', '-o', 'yaml'], 'give --mesh NAME\n'],
  ['missing callers', ['accesspolicy', 'a', '-o', 'yaml'], 'give --source SERVICEACCOUNT, and --destination SERVICE\n'],
  [
    'a missing backend',
    ['virtualdestination', 'a', '--out', 'x.yaml'],
    'give --backend SERVICE, and --hostname HOST, and --port NUMBER, and --virtual-mesh NAME or --mesh NAME\n',
  ],
  [
    'a Secret without a name',
    ['virtualmesh', 'a', '--mesh', 'm', '--trust', 'secret', '-o', 'yaml'],
    'give --root-secret NAME\n',
  ],
  [
    'a value that does not fit its field',
    ['trafficpolicy', 'a', ...REVIEWS, '--timeout', 'soon', '-o', 'yaml'],
    'error: --timeout soon: must be a duration of at least 1ms, such as 250ms, 1.5s or 1m30s, got "soon"',
  ],
  [
    'a status that is not one',
    ['trafficpolicy', 'a', ...REVIEWS, '--abort', 'bad', '-o', 'yaml'],
    'error: --abort bad: must be ',
  ],
  [
    'a header without a value',
    ['trafficpolicy', 'a', ...REVIEWS, '--add-request-header', 'x', '-o', 'yaml'],
    'error: --add-request-header x: must be NAME=VALUE',
  ],
  [
    'a share without a weight',
    ['trafficpolicy', 'a', ...REVIEWS, '--shift', 'reviews', '-o', 'yaml'],
    'error: --shift reviews: must be WEIGHT=SERVICE[:PORT][,LABEL=VALUE]',
  ],
  [
    'weights of 0',
    ['trafficpolicy', 'a', ...REVIEWS, '--shift', '0=cluster-1/bookshop/reviews', '-o', 'yaml'],
    'must have a weight above 0',
  ],
  [
    'two faults',
    ['trafficpolicy', 'a', ...REVIEWS, '--delay', '1s', '--abort', '503', '-o', 'yaml'],
    'a policy has one fault; give --delay or --abort',
  ],
  [
    'a percentage without a fault',
    ['trafficpolicy', 'a', ...REVIEWS, '--timeout', '1s', '--fault-percent', '5', '-o', 'yaml'],
    '--fault-percent needs --delay DURATION or --abort STATUS',
  ],
  [
    'a timeout of tries without retries',
    ['trafficpolicy', 'a', ...REVIEWS, '--timeout', '1s', '--per-try-timeout', '1s', '-o', 'yaml'],
    '--per-try-timeout needs --retries N',
  ],
  [
    'a Service that discovery does not know',
    ['trafficpolicy', 'a', '--destination', 'cluster-1/bookshop/revews', '--timeout', '1s', '-o', 'yaml'],
    'error: no destination "cluster-1/bookshop/revews" found; did you mean cluster-1/bookshop/reviews?',
  ],
  [
    'a name that is taken',
    ['virtualmesh', 'bookshop', '--mesh', 'istiod-istio-system-cluster-1', '-o', 'yaml'],
    'error: VirtualMesh meshrelay/bookshop exists; choose another name, or change it with kubectl edit virtualmesh -n meshrelay bookshop',
  ],
  ['a name that is not one', ['virtualmesh', 'a/b/c', '--mesh', 'm', '-o', 'yaml'], 'a/b/c'],
  [
    'a Secret for another trust',
    ['virtualmesh', 'a', '--mesh', 'm', '--trust', 'limited', '--root-secret', 's', '-o', 'yaml'],
    '--root-secret goes with --trust secret, not with --trust limited',
  ],
  [
    'namespaces for another federation',
    ['virtualmesh', 'a', '--mesh', 'm', '--federation', 'all', '--federate-namespace', 's', '-o', 'yaml'],
    '--federate-namespace goes with --federation namespaces, not with --federation all',
  ],
  [
    'two backends of one cluster',
    [
      ...[
        'virtualdestination',
        'a',
        '--hostname',
        'a.global',
        '--port',
        '80',
        '--virtual-mesh',
        'bookshop',
        '-o',
        'yaml',
      ],
      ...['--backend', 'cluster-1/bookshop/reviews', '--backend', 'cluster-1/bookshop/ratings'],
    ],
    'error: --backend: cluster-1/bookshop/reviews and cluster-1/bookshop/ratings are in one cluster; choose at most one of each cluster',
  ],
  [
    'to apply to files',
    ['trafficpolicy', 'a', ...REVIEWS, '--timeout', '1s', '--apply'],
    'error: --apply needs the management cluster; leave out --cluster, or write a file with --out FILE',
  ],
];

for (const [what, args, says] of REFUSED)
  test(`refuses ${what}, and writes nothing`, async () => {
    const { code, stdout, stderr } = await create(...args);
    assert.equal([code, stdout], [1, ''], stderr);
    assert.match(stderr, says);
    assert.not.match(stderr, 'which is a bug');
    assert.not.ok(existsSync(join(folder.path, 'x.yaml')));
  });

test('a policy that would not be accepted: 2, with the reason', async () => {
  const { code, stdout, stderr } = await create(
    ...['trafficpolicy', 'v9', ...REVIEWS, '--shift', '1=cluster-1/bookshop/reviews,version=v9', '-o', 'yaml'],
  );
  assert.is(code, 2, stderr);
  assert.match(stderr, 'TrafficPolicy meshrelay/v9   created   PENDING');
  assert.match(stderr, 'has the labels version=v9');
  assert.match(stdout, 'version: v9');
});

test('a share of a traffic shift is read as it is written', () => {
  for (const text of ['1=reviews', '90=cluster-1/shop/reviews:9080,version=v1,track=', '0=reviews-shop-cluster-1:80']) {
    const share = parseShift(text);
    assert.ok(share !== undefined, text);
    assert.is(shiftText(share), text);
  }
  for (const text of ['reviews', '=reviews', '1=', '1=a:b', '1=a,version', '-1=a', '1=a,=b', '1=a b'])
    assert.is(parseShift(text), undefined, text);
});

test.run();
