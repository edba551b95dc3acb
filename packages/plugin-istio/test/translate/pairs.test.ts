/**
 * Every two rules for one Service's traffic stand side by side, in one policy and in two: what either writes alone is there with the other. Of two
 * values for one rule a golden case shows that the later is a conflict.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { crds } from '@meshrelay/api/crds';
import { expandFleet, sha256 as hash } from '@meshrelay/plugin-kit';
import { buildFleet, loadPlugins } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import * as fixture from '../../src/fixture.ts';
import istio from '../../src/mod.ts';

const plugins = loadPlugins([{ module: 'istio', plugin: istio }]);

const service = (name: string) => ({ name, namespace: 'shop', clusterName: 'cluster-1' });

/** One value for each field of `spec.policy` that Istio carries. */
const RULES = {
  requestTimeout: '7s',
  retries: { attempts: 4, perTryTimeout: '2s' },
  faultInjection: { fixedDelay: '3s', percentage: 10 },
  corsPolicy: { allowOrigins: [{ exact: 'https://a.example' }], allowMethods: ['GET'] },
  mirror: { kubeService: service('copies'), percentage: 50 },
  headerManipulation: { appendRequestHeaders: { 'x-seen': 'yes' }, removeResponseHeaders: ['server'] },
  trafficShift: {
    destinations: [
      { weight: 60, kubeService: service('cart') },
      { weight: 40, kubeService: service('copies') },
    ],
  },
  outlierDetection: { consecutiveErrors: 6 },
  mtls: { istio: { tlsMode: 'DISABLE' } },
  connectionPool: { tcp: { maxConnections: 11 } },
} as const;

type Rule = keyof typeof RULES;

/** Of which Istio has no API. */
const UNSUPPORTED: readonly string[] = ['csrf', 'localRateLimit'];

const NAMES = Object.keys(RULES) as Rule[];

/** The fields of all objects that policies with these rules come to, as `path = value`; each policy must be ACCEPTED. */
function fieldsOf(...policies: ReadonlyArray<readonly Rule[]>): ReadonlySet<string> {
  const fleet = expandFleet(
    {
      about: '',
      clusters: {
        'cluster-1': { services: { 'cart.shop': { ports: ['http:80'] }, 'copies.shop': { ports: ['http:80'] } } },
      },
      management: policies.map((rules, index) => ({
        TrafficPolicy: `policy-${index}`,
        spec: {
          destinationSelector: [{ kubeServiceRefs: { services: [service('cart')] } }],
          policy: Object.fromEntries(rules.map((rule) => [rule, RULES[rule]])),
        },
      })),
    },
    { type: 'istio', fixture },
  );
  const { desired, statuses } = buildFleet({ ...fleet, plugins, hash });
  for (const [, { ref, status }] of statuses.entries())
    assert.is(status.state, 'ACCEPTED', `${ref.name} of ${JSON.stringify(policies)}: ${JSON.stringify(status)}`);
  return new Set([...desired.entries()].flatMap(([, { object }]) => [...leaves(object['spec'], object.kind)]));
}

function* leaves(value: unknown, path: string): Iterable<string> {
  if (typeof value !== 'object' || value === null) yield `${path} = ${String(value)}`;
  else for (const [name, member] of Object.entries(value)) yield* leaves(member, `${path}.${name}`);
}

const alone = new Map(NAMES.map((rule) => [rule, fieldsOf([rule])]));

/** What a rule writes that no other does. */
function own(rule: Rule): readonly string[] {
  const others = NAMES.filter((other) => other !== rule).flatMap((other) => [...(alone.get(other) ?? [])]);
  return [...(alone.get(rule) ?? [])].filter((field) => !others.includes(field));
}

/** All fields of `spec.policy`, as the CRD has them. */
function rulesOfPolicies(): string[] {
  const crd = crds.find(({ spec }) => spec.names.kind === 'TrafficPolicy');
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec']?.properties?.['policy'];
  return Object.keys(schema?.properties ?? {}).sort();
}

test('there is a value for every rule that policies have', () => {
  assert.equal(rulesOfPolicies(), [...NAMES, ...UNSUPPORTED].sort());
  for (const rule of NAMES) assert.ok(own(rule).length > 0, `${rule} writes something of its own`);
});

test('golden cases show a conflict about every rule, with the winner and both values', () => {
  const golden = new URL('../golden/', import.meta.url);
  const policies = readdirSync(golden).flatMap(
    (name): StatusRow[] => parse(readFileSync(new URL(`${name}/report.yaml`, golden), 'utf8')) ?? [],
  );
  const conflicts = policies
    .flatMap(({ targets }) => targets.flatMap(({ reports }) => reports))
    .filter(
      ({ code, message }) =>
        code === 'CONFLICT' && / was accepted earlier and sets .* to .* this policy to /.test(message),
    );
  const shown = new Set(conflicts.map(({ field }) => field));
  assert.equal(
    rulesOfPolicies().filter((rule) => !shown.has(`spec.policy.${rule}`)),
    [],
  );
});

interface StatusRow {
  readonly targets: ReadonlyArray<{
    readonly reports: ReadonlyArray<{ readonly code: string; readonly field?: string; readonly message: string }>;
  }>;
}

for (const [index, one] of NAMES.entries()) {
  test(`${one} beside every other rule`, () => {
    for (const other of NAMES.slice(index + 1)) {
      const wanted = [...own(one), ...own(other)];
      for (const together of [fieldsOf([one, other]), fieldsOf([one], [other])])
        assert.equal(
          wanted.filter((field) => !together.has(field)),
          [],
          `${one} and ${other} come to ${[...together].join('\n')}`,
        );
    }
  });
}

test.run();
