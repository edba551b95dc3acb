/**
 * An owner of every object of one cluster changes nothing about the others, with the meshes' real plugins: a few
 * attacked fleets, and those stored because they once failed.
 */
import { key } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { holdAtRandom } from '@meshrelay/testing/random-runs';
import { changedPolicies, type ReportedPolicies } from '@meshrelay/testing/reported-policies';
import fc from 'fast-check';
import { adversaryChangesNothing } from '../src/attack/attack-property.ts';
import { type AttackedFleet, attackedFleets } from '../src/attack/attacked-fleets.ts';
import { retained } from '../src/stored.ts';

test('an adversary that owns every object of a cluster changes nothing about others, whatever the meshes', () => {
  const what = 'attacks on real meshes';
  holdAtRandom({
    what,
    values: attackedFleets,
    property: adversaryChangesNothing,
    runs: scaledRuns(30, { least: 4 }),
    seed: 20_261_122,
    report: console.log,
  });
});

test('the property can fail: an adversary who could write into another cluster would change something', () => {
  const [attacked] = fc.sample(attackedFleets, { numRuns: 1, seed: 4 });
  if (attacked === undefined) throw new Error('no fleet was generated');
  const taken = attacked.peace.filter(({ cluster, object }) => cluster === 'east' && object.kind === 'Service');
  assert.ok(taken.length > 0);
  const attack = [...attacked.attack, ...taken.map((one) => ({ ...one, gone: true }))];
  assert.throws(() => adversaryChangesNothing({ ...attacked, attack }), /changed others' objects, it came later/);
});

/** Of a policy on a Service of the adversary's and one of another cluster; both ACCEPTED except as given here. */
function errorMessage(
  home: string,
  {
    target = {},
    own = {},
    reports = [],
  }: Partial<Record<'target' | 'own', object>> & { readonly reports?: readonly object[] },
): ReportedPolicies {
  const service = (cluster: string, reported: object) => ({
    kind: 'Destination',
    cluster,
    namespace: 'shop',
    name: 'cart',
    state: 'ACCEPTED',
    reports: [],
    ...reported,
  });
  const ref = { kind: 'TrafficPolicy', cluster: home, namespace: 'meshrelay', name: 'one' };
  const status = {
    state: 'ACCEPTED',
    conditions: [],
    reports,
    targetCount: 2,
    targets: [service('west', own), service('east', target)],
  };
  return new Map([[key('one'), { ref, status, isEffective: true }]]) as unknown as ReportedPolicies;
}

test("reports to others' policies are compared, except for the parts that the adversary may change", () => {
  const report = (severity: string, message: string) => ({ reports: [{ code: 'NOT_IN_A_MESH', severity, message }] });
  const lost = { state: 'DEGRADED', ...report('warning', 'no sidecar') };
  const named = { state: 'CONFLICT', ...report('error', 'not applied in cluster west') };
  const changes = (
    home: string,
    reported: Parameters<typeof errorMessage>[1],
    before: Parameters<typeof errorMessage>[1] = {},
  ) => changedPolicies(errorMessage(home, before), errorMessage(home, reported), 'west').length;
  assert.is(changes('', { target: { state: 'DEGRADED' } }), 1);
  assert.is(changes('', { target: lost }), 2);
  assert.is(changes('', { target: lost }, { target: report('info', 'no sidecar') }), 2);
  assert.is(changes('', { target: lost, own: lost }, { target: report('info', 'no sidecar') }), 0);
  assert.is(changes('', { target: named }), 0);
  assert.is(changes('', report('warning', 'of the policy itself')), 1);
  assert.is(changes('', report('warning', 'of a Service in west')), 0);
  assert.is(changes('east', { own: lost }), 1);
  assert.is(changes('east', report('warning', 'of the policy itself')), 1);
  assert.is(changes('east', report('error', 'no Service shop/cart in cluster west')), 0);
  assert.is(changedPolicies(errorMessage('', {}), new Map(), 'west').length, 1);
});

test("reports on gateways of other members may change if a mesh of the adversary's joins or leaves, and only then", () => {
  const field = 'spec.federation.eastWestIngressGatewaySelectors';
  const mesh = (cluster: string, ...reports: readonly object[]) => ({
    kind: 'Mesh',
    cluster,
    namespace: 'istio-system',
    name: 'istiod',
    state: reports.length === 0 ? 'ACCEPTED' : 'PENDING',
    reports,
  });
  const withoutGateway = mesh('east', { code: 'NO_GATEWAY', severity: 'error', field });
  const statusOf = (...targets: readonly object[]) => {
    const ref = { kind: 'VirtualMesh', cluster: '', namespace: 'meshrelay', name: 'one' };
    const status = { state: 'ACCEPTED', reports: [], targets, targetCount: targets.length };
    return new Map([[key('one'), { ref, status }]]) as unknown as ReportedPolicies;
  };
  const changes = (before: ReportedPolicies, after: ReportedPolicies) => changedPolicies(before, after, 'west').length;
  assert.is(changes(statusOf(withoutGateway, mesh('west')), statusOf(mesh('east'))), 0);
  assert.is(changes(statusOf(mesh('east')), statusOf(withoutGateway, mesh('west'))), 0);
  assert.is(changes(statusOf(withoutGateway, mesh('west')), statusOf(mesh('east'), mesh('west'))), 2);
  assert.is(changes(statusOf(withoutGateway), statusOf(mesh('east'))), 2);
});

for (const { name, value: attacked } of retained<AttackedFleet>('attack')) {
  test(`stored: ${name}`, () => {
    adversaryChangesNothing(attacked);
  });
}

test.run();
