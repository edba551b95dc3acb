/**
 * istiod itself generates proxy configuration from what plugin-istio writes: it does not crash, no route leads nowhere,
 * and nothing conflicts.
 */
import process from 'node:process';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { randomFleets } from '@meshrelay/properties/random-outputs';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { goldenFleets } from '../../src/golden-fleets.ts';
import {
  type IstioFleet,
  type ProcessedFleet,
  processByIstiod,
  tampered,
  withWritten,
} from '../../src/istiod/fleet.ts';
import {
  everyAddressHasOneHost,
  everyCallIsAdmitted,
  everyObjectHasEffect,
  everyRouteHasEndpoints,
  istiodStaysUp,
  noObjectsConflict,
} from '../../src/istiod/invariants.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(30);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_123);

/** @returns the number of paths between clusters */
function assertInvariants(fleets: readonly ProcessedFleet[]): number {
  assert.equal(fleets.flatMap(istiodStaysUp), []);
  assert.equal(fleets.flatMap(everyRouteHasEndpoints), []);
  assert.equal(fleets.flatMap(noObjectsConflict), []);
  assert.equal(fleets.flatMap(everyAddressHasOneHost), []);
  assert.equal(fleets.flatMap(everyObjectHasEffect), []);
  const found = fleets.map(everyCallIsAdmitted);
  assert.equal(
    found.flatMap(({ broken }) => broken),
    [],
  );
  return found.reduce((sum, { endpointMultiplicity }) => sum + endpointMultiplicity, 0);
}

const golden = goldenFleets(istioPlugin, fixture).map(({ name, inputs, plane }) => ({
  name,
  clusters: withWritten(inputs.clusters, plane),
}));

/** A golden case, with one part of the written objects replaced by another. */
function seenTampered(name: string, what: string, by: string): ProcessedFleet {
  const found = golden.find((fleet) => fleet.name === name) as IstioFleet;
  return processByIstiod([tampered(found, what, by)])[0] as ProcessedFleet;
}

test('control: routes without endpoints, denied connections, objects without effect, and crashes of istiod are detected', () => {
  assert.is.not(everyRouteHasEndpoints(seenTampered('shift-ports', '"number":7000', '"number":7001')).length, 0);
  assert.is.not(
    everyCallIsAdmitted(seenTampered('federation-all', '"*.svc.cluster-2', '"*.svc.cluster-9')).broken.length,
    0,
  );
  assert.is.not(everyCallIsAdmitted(seenTampered('federation-all', '/sa/', '/sa/not-')).broken.length, 0);
  assert.is.not(everyObjectHasEffect(seenTampered('field-outlier-all', '.svc.cluster.local', '.nowhere')).length, 0);
  const order = seenTampered(
    'vd-gateway-hostname',
    '"enabled":true',
    '"enabled":true,"failoverPriority":["some/label"]',
  );
  assert.match(istiodStaysUp(order).join('\n'), /index out of range/);
});

/** The addresses behind a host of port 9080, level by level, as a pod's proxy receives them. */
function levelsOf({ clusters }: ProcessedFleet, cluster: string, pod: string, host: string): string[][] {
  const reported = clusters.find(({ name }) => name === cluster)?.reported.proxies[pod];
  const found = reported?.clusters?.find(({ name }) => name === `outbound|9080||${host}`)?.endpoints ?? [];
  const count = Math.max(0, ...found.map(({ priority }) => priority + 1));
  return Array.from({ length: count }, (_, level) =>
    found
      .filter(({ priority }) => priority === level)
      .map(({ address }) => address)
      .sort(),
  );
}

test('endpoints of virtual destinations have the requested order', () => {
  const seen = (name: string): ProcessedFleet =>
    processByIstiod(golden.filter((fleet) => fleet.name === name))[0] as ProcessedFleet;
  const three = seen('vd-three-levels');
  assert.equal(levelsOf(three, 'cluster-1', 'reviews-v1.bookinfo', 'reviews.global'), [
    ['198.51.100.2'],
    ['198.51.100.3'],
    ['10.1.1.1'],
  ]);
  const directed = seen('vd-directives');
  assert.equal(levelsOf(directed, 'cluster-1', 'reviews-v1.bookinfo', 'reviews.global'), [
    ['10.1.1.1'],
    ['198.51.100.2'],
    ['198.51.100.3'],
  ]);
  const resolved = seen('vd-gateway-hostnames-order');
  assert.equal(levelsOf(resolved, 'callers', 'web-v1.shop', 'in-order.global'), [
    ['198.51.100.1'],
    ['west.example.com'],
    ['198.51.100.3'],
  ]);
  assert.equal(levelsOf(resolved, 'cluster-1', 'reviews-v1.bookinfo', 'in-order.global'), [
    ['10.1.1.1'],
    ['198.51.100.3', 'west.example.com'],
  ]);
  assert.equal(levelsOf(resolved, 'cluster-1', 'reviews-v1.bookinfo', 'directed.global'), [
    ['10.1.1.1'],
    ['198.51.100.3'],
    ['west.example.com'],
  ]);
});

test('the golden cases', () => {
  assert.ok(assertInvariants(processByIstiod(golden)) > 200);
});

test(`${RUNS} random fleets (seed ${SEED})`, () => {
  const fleets = [...randomFleets(RUNS, SEED)].map(({ state, plane }, at) => {
    const names = [...new Set(state.map(({ cluster }) => cluster))].filter((name) => name !== '');
    const clusters = names.map((name) => ({
      name,
      objects: state.filter(({ cluster }) => cluster === name).map(({ object }) => object),
    }));
    return { name: `fleet ${at}`, clusters: withWritten(clusters, plane) };
  });
  assertInvariants(processByIstiod(fleets));
});

test.run();
