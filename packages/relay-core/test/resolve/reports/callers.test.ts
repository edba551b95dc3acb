/** Policies for callers that do not exist report it, until such callers appear. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE } from '../../support/base-fleet.ts';
import { planeOf } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

const FEDERATED = BASE;
const ALONE = BASE.filter(({ object }) => object.kind !== 'VirtualMesh');

function policyFor(clusters: readonly string[], home = ''): Placed {
  const object = {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name: 'p', namespace: 'n' },
    spec: {
      destinationSelector: [{ kubeServiceRefs: { services: [{ name: 'b', namespace: 'y', clusterName: 'c1' }] } }],
      sourceSelector: clusters.length === 0 ? [] : [{ kubeWorkloadMatcher: { clusters } }],
      policy: { requestTimeout: '1s' },
    },
  };
  return { cluster: home, object: object as unknown as KubeObject };
}

function reported(fleetState: readonly Placed[], clusters: readonly string[], home = '') {
  const { statuses } = planeOf([...fleetState, policyFor(clusters, home)]);
  const status = [...statuses.entries()].map(([, one]) => one).find(({ ref }) => ref.name === 'p')?.status;
  const reports = status?.targets.flatMap((target) => target.reports) ?? [];
  return { state: status?.state, codes: reports.map(({ code }) => code), message: reports[0]?.message };
}

test('a cluster that cannot reach the destination has no callers', () => {
  const { state, codes, message } = reported(ALONE, ['c2', 'c3']);
  assert.is(state, 'DEGRADED');
  assert.equal(codes, ['NO_CALLERS']);
  assert.match(message ?? '', 'no mesh of c2, c3 knows Service y/b of cluster c1');
});

for (const [what, fleetState, clusters] of [
  ['callers of its own cluster', ALONE, ['c1']],
  ['callers of its own cluster among others', ALONE, ['c1', 'c2']],
  ['callers of any cluster', ALONE, []],
  ['callers of a cluster it is federated to', FEDERATED, ['c2']],
] as const) {
  test(`${what} are callers`, () => assert.equal(reported(fleetState, clusters).codes, []));
}

test('a policy of a cluster other than the callers has no effect on them, and reports it', () => {
  const { state, codes, message } = reported(FEDERATED, ['c2'], 'c1');
  assert.is(state, 'DEGRADED');
  assert.equal(codes, ['REF_NOT_PERMITTED']);
  assert.match(message ?? '', 'a policy of cluster c1 does not apply to callers in c2');
  assert.equal(reported(FEDERATED, ['c1'], 'c1').codes, []);
});

test.run();
