/**
 * Policies admit exactly the identities that they name, for any trust domain aliases of a mesh. Compares the specs,
 * read independently, with the filters that istiod sends to the destination's proxy.
 */
import process from 'node:process';
import type { AccessPolicy } from '@meshrelay/api';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { expandFleet, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, loadPlugins } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { admits, type InboundRequest } from '../../src/istiod/envoy-access.ts';
import { type IstioFleet, processByIstiod, withWritten } from '../../src/istiod/fleet.ts';
import { statusesOf } from '../../src/statuses.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(50);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_126);
const HOME = 'cluster-1';
/** A former name of the home mesh. */
const OLD = 'old.example';

const one = fc.constantFrom;
const few = <T>(...items: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...items], { maxLength: 2 });

/** Trust domains by cluster; Istio treats `cluster.local` as the mesh's own. */
const domains = one(
  { 'cluster-1': 'one.example', 'cluster-2': 'two.example', 'cluster-3': 'cluster.local' },
  { 'cluster-1': 'cluster.local', 'cluster-2': 'two.example', 'cluster-3': 'three.example' },
);
type Domains = typeof domains extends fc.Arbitrary<infer T> ? T : never;

const source = fc.oneof(
  fc
    .record({
      namespaces: few('shop', 'bank'),
      clusters: few('cluster-1', 'cluster-2', 'cluster-3'),
      trustDomains: few('one.example', 'two.example', 'cluster.local'),
    })
    .map((kubeIdentityMatcher) => ({ kubeIdentityMatcher })),
  fc
    .array(
      fc.record({
        namespace: one('shop', 'bank'),
        name: one('web', 'web', 'job', ''),
        clusterName: one('cluster-1', 'cluster-2', 'cluster-3', ''),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((serviceAccounts) => ({ kubeServiceAccountRefs: { serviceAccounts } })),
);
type Source = {
  readonly kubeIdentityMatcher?: {
    readonly namespaces: readonly string[];
    readonly clusters: readonly string[];
    readonly trustDomains: readonly string[];
  };
  readonly kubeServiceAccountRefs?: {
    readonly serviceAccounts: ReadonlyArray<{ namespace: string; name: string; clusterName: string }>;
  };
};

const policy = fc.record({
  action: one('ALLOW', 'ALLOW', 'DENY'),
  sourceSelector: fc.array(source, { minLength: 1, maxLength: 2 }),
});
const fleet = fc.record({
  domains,
  /** Clusters whose trust domains the home mesh already has as aliases. */
  aliases: fc.subarray(['cluster-2', 'cluster-3', OLD]),
  policies: fc.array(policy, { minLength: 1, maxLength: 3 }),
});

interface Caller {
  readonly cluster: string;
  readonly domain: string;
  readonly namespace: string;
  readonly name: string;
}

function callersOf(of: Domains): Caller[] {
  return Object.entries(of).flatMap(([cluster, domain]) =>
    ['shop', 'bank'].flatMap((namespace) => ['web', 'job'].map((name) => ({ cluster, domain, namespace, name }))),
  );
}

/** As the API reference specifies. */
function selects({ kubeIdentityMatcher, kubeServiceAccountRefs }: Source, caller: Caller): boolean {
  const fits = (listed: readonly string[], value: string): boolean => listed.length === 0 || listed.includes(value);
  if (kubeIdentityMatcher !== undefined) {
    const { namespaces, clusters, trustDomains } = kubeIdentityMatcher;
    return fits(namespaces, caller.namespace) && fits(clusters, caller.cluster) && fits(trustDomains, caller.domain);
  }
  return (kubeServiceAccountRefs?.serviceAccounts ?? []).some(
    ({ namespace, name, clusterName }) =>
      namespace === caller.namespace &&
      (name === '' || name === caller.name) &&
      (clusterName === '' || clusterName === caller.cluster),
  );
}

const plugins = loadPlugins([{ module: 'istio', plugin: istioPlugin }]);

function fleetOf(
  { domains: of, aliases, policies }: typeof fleet extends fc.Arbitrary<infer T> ? T : never,
  at: number,
) {
  const known: Readonly<Record<string, string>> = of;
  const inputs = expandFleet(
    {
      about: 'identities',
      clusters: Object.fromEntries(
        Object.entries(of).map(([cluster, trustDomain]) => {
          const own = cluster === HOME ? { trustDomainAliases: aliases.map((one) => known[one] ?? one) } : {};
          const services = cluster === HOME ? { 'api.shop': { ports: ['http:80'] } } : {};
          return [cluster, { istio: [{ config: { trustDomain, ...own } }], services }];
        }),
      ),
      management: [
        {
          VirtualMesh: 'mesh',
          spec: {
            meshes: Object.keys(of).map((name) => ({ name: `istiod-istio-system-${name}`, namespace: 'meshrelay' })),
          },
        },
        ...policies.map(({ action, sourceSelector }, position) => ({
          AccessPolicy: `p${position}`,
          spec: {
            action,
            sourceSelector,
            destinationSelector: [
              { kubeServiceRefs: { services: [{ name: 'api', namespace: 'shop', clusterName: HOME }] } },
            ],
          },
        })),
      ],
    },
    { type: 'istio', fixture },
  );
  const plane = buildFleet({ ...inputs, plugins, hash: sha256 });
  const reported = statusesOf(
    plane,
    inputs.management.filter((object): object is AccessPolicy => object.kind === 'AccessPolicy'),
  );
  // A policy with an unknown trust domain is applied without it.
  const degraded = [...reported]
    .filter(([, { state }]) => state === 'DEGRADED' || state === 'FAILED')
    .map(([name]) => name);
  const unseen: IstioFleet = { name: `fleet ${at}`, clusters: withWritten(inputs.clusters, plane) };
  return {
    of,
    aliases,
    policies: policies as ReadonlyArray<{ action: string; sourceSelector: readonly Source[] }>,
    degraded,
    unseen,
  };
}

test(`identities in ${RUNS} random fleets (seed ${SEED})`, () => {
  const fleets = fc.sample(fleet, { numRuns: RUNS, seed: SEED }).map(fleetOf);
  assert.equal(
    fleets.flatMap(({ degraded }) => degraded),
    [],
    'all differ',
  );
  const seen = processByIstiod(fleets.map(({ unseen }) => unseen));
  const wrong: string[] = [];
  const evaluated = { in: 0, out: 0 };
  for (const [at, { of, aliases, policies }] of fleets.entries()) {
    const home = seen[at]?.clusters.find(({ name }) => name === HOME);
    const [, proxy] = Object.entries(home?.reported.proxies ?? {}).find(([name]) => name.endsWith('.shop')) ?? [];
    const door = proxy?.doors?.find(({ port, tls }) => port === 80 && tls);
    if (door === undefined) throw new Error(`fleet ${at}: no listener at port 80`);
    const meantBy = (action: string, caller: Caller): boolean =>
      policies.some((one) => one.action === action && one.sourceSelector.some((selector) => selects(selector, caller)));
    // Proxies close connections from other trust domains before any filter runs.
    const taken = [of[HOME], ...aliases.map((alias) => (of as Readonly<Record<string, string>>)[alias])];
    for (const caller of callersOf(of).filter(({ domain }) => taken.includes(domain))) {
      const { domain, namespace, name } = caller;
      const request: InboundRequest = {
        identity: `spiffe://${domain}/ns/${namespace}/sa/${name}`,
        path: '/',
        method: 'GET',
        port: 80,
      };
      const open = !policies.some(({ action }) => action === 'ALLOW') || meantBy('ALLOW', caller);
      const expected = open && !meantBy('DENY', caller);
      evaluated[expected ? 'in' : 'out'] += 1;
      if (admits(door.rbac ?? [], request) !== expected)
        wrong.push(
          `fleet ${at}, aliases ${aliases.join()}, ${request.identity}: ${expected ? 'denied, expected allowed' : 'allowed, expected denied'}, ${JSON.stringify(policies)}`,
        );
    }
  }
  assert.equal(wrong.slice(0, 3), []);
  assert.ok(Math.min(evaluated.in, evaluated.out) > (evaluated.in + evaluated.out) / 10, JSON.stringify(evaluated));
});

test.run();
