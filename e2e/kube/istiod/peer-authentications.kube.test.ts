/**
 * Callers are admitted as policies specify: compares the policies' statuses with the filter chains that istiod sends to
 * the destination's proxy, for any PeerAuthentications.
 */
import process from 'node:process';
import type { AccessPolicy, TrafficPolicy } from '@meshrelay/api';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { expandFleet, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ComputedStatus, loadPlugins } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type IstioFleet, processByIstiod, withWritten } from '../../src/istiod/fleet.ts';
import { statusesOf } from '../../src/statuses.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(50);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_126);
const CLUSTER = 'cluster-1';
const ROOT = 'istio-system';

const one = fc.constantFrom;
const mode = one('DISABLE', 'PERMISSIVE', 'STRICT', 'UNSET', undefined);
const mtls = mode.map((is) => (is === undefined ? {} : { mtls: { mode: is } }));
const ports = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc
    .tuple(one('8080', '8081', '80'), mode)
    .map(([port, is]) => ({ portLevelMtls: { [port]: is === undefined ? {} : { mode: is } } })),
);
const selector = one(
  undefined,
  undefined,
  { app: 'api' },
  { app: 'api', version: 'v1' },
  { version: 'v1' },
  { app: 'else' },
);

/** API servers reject ports without a selector. */
const peerAuthentication = fc
  .record({ namespace: one(ROOT, 'shop', 'shop', 'other'), selector, mtls, ports, second: fc.nat(3) })
  .map(({ namespace, selector: matchLabels, mtls: wide, ports: narrow, second }) => ({
    namespace,
    creationTimestamp: `2026-01-01T00:00:0${second}Z`,
    spec: matchLabels === undefined ? wide : { selector: { matchLabels }, ...wide, ...narrow },
  }));

const fleet = fc.record({
  found: fc.array(peerAuthentication, { maxLength: 4 }),
  strict: fc.boolean(),
  callers: one('DISABLE', 'ISTIO_MUTUAL'),
});
type Fleet = ReturnType<typeof fleetOf>;

const plugins = loadPlugins([{ module: 'istio', plugin: istioPlugin }]);

function fleetOf({ found, strict, callers }: typeof fleet extends fc.Arbitrary<infer T> ? T : never, at: number) {
  const inputs = expandFleet(
    {
      about: 'who gets in',
      clusters: {
        [CLUSTER]: {
          services: { 'api.shop': { ports: ['http:80:8080', 'http-alt:81:8081'] } },
          objects: found.map(({ namespace, creationTimestamp, spec }, position) => ({
            apiVersion: 'security.istio.io/v1',
            kind: 'PeerAuthentication',
            metadata: { name: `pa-${position}`, namespace, creationTimestamp },
            spec,
          })),
        },
      },
      management: [
        {
          VirtualMesh: 'mesh',
          spec: {
            meshes: [{ name: `istiod-istio-system-${CLUSTER}`, namespace: 'meshrelay' }],
            mtlsConfig: { strict },
          },
        },
        { TrafficPolicy: 'connect', spec: { policy: { mtls: { istio: { tlsMode: callers } } } } },
      ],
    },
    { type: 'istio', fixture },
  );
  const plane = buildFleet({ ...inputs, plugins, hash: sha256 });
  const policies = inputs.management.filter((object): object is TrafficPolicy => object.kind === 'TrafficPolicy');
  const status = statusesOf(plane, policies as unknown as readonly AccessPolicy[]).get('connect');
  const unseen: IstioFleet = { name: `fleet ${at}`, clusters: withWritten(inputs.clusters, plane) };
  return { found, strict, callers, status, unseen };
}

/** Whether the policy reports that callers fail at a port. */
function isSaidToFail(status: ComputedStatus | undefined, port: number): boolean {
  const reports = (status?.targets ?? []).flatMap((target) => target.reports);
  return reports.some(({ code, message }) => {
    const named = / at port ([0-9, ]+), and/.exec(message)?.[1];
    return code === 'MTLS_MISMATCH' && (named === undefined || named.split(', ').includes(String(port)));
  });
}

const wayIn = (callers: string, tls: boolean): boolean => (callers === 'DISABLE' ? !tls : tls);

test(`filter chains of ${RUNS} random fleets (seed ${SEED})`, () => {
  const fleets = fc.sample(fleet, { numRuns: RUNS, seed: SEED }).map(fleetOf);
  const seen = processByIstiod(fleets.map(({ unseen }) => unseen));
  const wrong: string[] = [];
  const evaluated = { in: 0, out: 0 };
  for (const [at, { found, strict, callers, status }] of (fleets as readonly Fleet[]).entries()) {
    const proxies = seen[at]?.clusters[0]?.reported.proxies ?? {};
    const [, proxy] = Object.entries(proxies).find(([name]) => name.endsWith('.shop')) ?? [];
    if (proxy === undefined) throw new Error(`fleet ${at}: istiod has no proxy in namespace shop`);
    for (const [port, target] of [
      [80, 8080],
      [81, 8081],
    ] as const) {
      const isIn = (proxy.doors ?? []).some((door) => door.port === target && wayIn(callers, door.tls));
      evaluated[isIn ? 'in' : 'out'] += 1;
      if (isSaidToFail(status, port) === isIn)
        wrong.push(
          `fleet ${at}, port ${port}, ${callers}, strict ${strict}: ${isIn ? 'callers get in' : 'callers do not get in'}, ${JSON.stringify(found)}`,
        );
    }
  }
  assert.equal(wrong.slice(0, 5), []);
  assert.ok(Math.min(evaluated.in, evaluated.out) > (evaluated.in + evaluated.out) / 20, JSON.stringify(evaluated));
});

test.run();
