/**
 * The callers that policies allow are those that are admitted: compares the specs, read independently, with the filters
 * that istiod sends to the destination's proxy.
 */
import process from 'node:process';
import type { AccessPolicy } from '@meshrelay/api';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { expandFleet, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ComputedStatus, loadPlugins } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { isAllowed } from '../../src/istiod/allowed.ts';
import { admits, type InboundRequest } from '../../src/istiod/envoy-access.ts';
import { type IstioFleet, processByIstiod, withWritten } from '../../src/istiod/fleet.ts';
import { statusesOf } from '../../src/statuses.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(50);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_125);
const CLUSTER = 'cluster-1';
const TRUST_DOMAIN = 'cluster.local';

const one = fc.constantFrom;
const few = <T>(...items: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...items], { maxLength: 2 });

const IDENTITIES = [undefined, 'shop/web', 'shop/web-2', 'shop/job', 'bank/web', 'bank-2/web'].map((name) =>
  name === undefined ? undefined : `spiffe://${TRUST_DOMAIN}/ns/${name.replace('/', '/sa/')}`,
);
const STRANGER = 'spiffe://other.domain/ns/shop/sa/web';
const PATHS = ['/', '/a', '/a/b', '/ab', '/b', '/b/x.js', '/x.js'];
const PORTS = [80, 8080];

const REQUESTS: readonly InboundRequest[] = [...IDENTITIES, STRANGER].flatMap((identity) =>
  PATHS.flatMap((path) =>
    ['GET', 'POST', 'DELETE'].flatMap((method) =>
      PORTS.map((port) => ({ ...(identity === undefined ? {} : { identity }), path, method, port })),
    ),
  ),
);

const path = ['/a', '/a*', '/a/*', '*.js', '*b', '/', '/*', '*'];
const method = ['GET', 'POST', 'DELETE'];

const source = fc.oneof(
  one<object>({}, { kubeIdentityMatcher: {} }, { kubeIdentityMatcher: { namespaces: ['shop'] } }),
  few('shop', 'bank').map((namespaces) => ({ kubeIdentityMatcher: { namespaces } })),
  fc
    .array(one<object>({ name: 'web', namespace: 'shop' }, { name: 'job', namespace: 'shop' }, { namespace: 'bank' }), {
      minLength: 1,
      maxLength: 2,
    })
    .map((serviceAccounts) => ({ kubeServiceAccountRefs: { serviceAccounts } })),
);

const spec = fc
  .record({
    sourceSelector: fc.array(source, { maxLength: 2 }),
    unauthenticated: one(false, false, false, true),
    action: one(undefined, 'ALLOW', 'ALLOW', 'DENY'),
    allowedPaths: few(...path),
    allowedMethods: few(...method),
    allowedPorts: few(...PORTS),
    notPaths: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: few(...path) }),
    notMethods: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: few(...method) }),
    notPorts: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: few(...PORTS) }),
  })
  .map(({ unauthenticated, action, ...rest }) => ({
    ...rest,
    ...(action === undefined ? {} : { action }),
    ...(unauthenticated ? { unauthenticated, sourceSelector: [] } : {}),
    destinationSelector: [
      { kubeServiceRefs: { services: [{ name: 'api', namespace: 'shop', clusterName: CLUSTER }] } },
    ],
  }));

const plugins = loadPlugins([{ module: 'istio', plugin: istioPlugin }]);

interface RandomCase {
  readonly policies: readonly AccessPolicy[];
  readonly reported: ReadonlyMap<string, ComputedStatus>;
  readonly fleet: IstioFleet;
}

function fleetOf(specs: readonly object[], at: number): RandomCase {
  const inputs = expandFleet(
    {
      about: 'requests',
      clusters: { [CLUSTER]: { services: { 'api.shop': { ports: ['http:80', 'http-alt:8080'] } } } },
      management: specs.map((one, position) => ({ AccessPolicy: `p${position}`, spec: one })),
    },
    { type: 'istio', fixture },
  );
  const plane = buildFleet({ ...inputs, plugins, hash: sha256 });
  const policies = inputs.management.filter((one): one is AccessPolicy => one.kind === 'AccessPolicy');
  const reported = statusesOf(plane, policies);
  return { policies, reported, fleet: { name: `fleet ${at}`, clusters: withWritten(inputs.clusters, plane) } };
}

test(`requests in ${RUNS} random fleets (seed ${SEED})`, () => {
  const cases = fc.sample(fc.array(spec, { minLength: 1, maxLength: 4 }), { numRuns: RUNS, seed: SEED }).map(fleetOf);
  const seen = processByIstiod(cases.map(({ fleet }) => fleet));
  const wrong: string[] = [];
  const evaluated = { in: 0, out: 0 };
  for (const [at, { policies, reported }] of cases.entries()) {
    const force = policies.filter(({ metadata }) =>
      reported.get(metadata.name)?.targets.some(({ state }) => state === 'ACCEPTED'),
    );
    const proxies = seen[at]?.clusters[0]?.reported.proxies ?? {};
    const [, proxy] = Object.entries(proxies).find(([name]) => name.endsWith('.shop')) ?? [];
    for (const request of REQUESTS) {
      const door = proxy?.doors?.find(
        ({ port, tls }) => port === request.port && tls === (request.identity !== undefined),
      );
      if (door === undefined) throw new Error(`fleet ${at}: no listener for ${JSON.stringify(request)}`);
      const expected = isAllowed(force, request, TRUST_DOMAIN);
      evaluated[expected ? 'in' : 'out'] += 1;
      if (admits(door.rbac ?? [], request) !== expected)
        wrong.push(
          `fleet ${at}, ${JSON.stringify(request)}: ${expected ? 'denied, expected allowed' : 'allowed, expected denied'}`,
        );
    }
  }
  assert.equal(wrong.slice(0, 5), []);
  assert.ok(Math.min(evaluated.in, evaluated.out) > (evaluated.in + evaluated.out) / 10, JSON.stringify(evaluated));
});

test.run();
