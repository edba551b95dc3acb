/** Trust domains: a cluster cannot use one listed for another cluster, nor one missing in its own list. */
import type { KubeObject, Report } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE } from '../../support/base-fleet.ts';
import { type ControlPlane, key } from '../../support/core.ts';
import { apply, planeOf } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

function kubernetesCluster(name: string, spec: object): Placed {
  const apiVersion = 'multicluster.meshrelay.dev/v1alpha1';
  const object = { apiVersion, kind: 'KubernetesCluster', metadata: { name, namespace: 'meshrelay' }, spec };
  return { cluster: '', object: object as unknown as KubeObject };
}

/** Admits callers of c3. */
const CALLERS_OF_C3: Placed = {
  cluster: '',
  object: {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'AccessPolicy',
    metadata: { name: 'callers', namespace: 'policies' },
    spec: {
      sourceSelector: [{ kubeIdentityMatcher: { clusters: ['c3'] } }],
      destinationSelector: [{ kubeServiceRefs: { services: [{ name: 'a', namespace: 'x', clusterName: 'c1' }] } }],
    },
  } as unknown as KubeObject,
};

const LISTED = [
  kubernetesCluster('c1', { trustDomains: ['td.one'] }),
  kubernetesCluster('c2', { trustDomains: ['td.one', 'td.two'] }),
];

function virtualMeshOf(plane: ControlPlane): { readonly state: string; readonly reports: readonly Report[] } {
  const found = [...plane.statuses.entries()].find(([, { ref }]) => ref.kind === 'VirtualMesh');
  assert.ok(found !== undefined);
  return (found as NonNullable<typeof found>)[1].status;
}

const isMember = (plane: ControlPlane, cluster: string): boolean =>
  plane.resolved.virtualMeshes.memberships.has(key(cluster, 'fake', 'cp'));

const principals = (plane: ControlPlane): unknown => {
  const plan = plane.resolved.destinationViews.get(key('c1', 'x', 'a'));
  return plan?.access.map(({ action, sources }) => [action, sources]);
};

test('without lists, a mesh has the trust domain it reports', () => {
  const plane = planeOf([...BASE, CALLERS_OF_C3]);
  assert.ok(['c1', 'c2', 'c3'].every((cluster) => isMember(plane, cluster)));
  assert.equal(principals(plane), [['ALLOW', { kind: 'principals', principals: ['td.one/*'] }]]);
});

test('a mesh with a trust domain listed for another cluster is not a member, and no caller is admitted for it', () => {
  const plane = planeOf([...BASE, ...LISTED, CALLERS_OF_C3]);
  assert.equal(
    ['c1', 'c2', 'c3'].map((cluster) => isMember(plane, cluster)),
    [true, true, false],
  );
  assert.equal(principals(plane), [['ALLOW', { kind: 'principals', principals: [] }]]);
  const { state, reports } = virtualMeshOf(plane);
  const [report] = reports.filter(({ code }) => code === 'TRUST_DOMAIN_NOT_ALLOWED');
  assert.equal([state, report?.field], ['DEGRADED', 'spec.meshes[2]']);
  assert.match(
    report?.message ?? '',
    'it reports the trust domain td.one, which spec.trustDomains of KubernetesCluster c1 lists and that of c3 does not',
  );
});

test('a mesh with a trust domain missing in the list of its cluster is not a member', () => {
  const plane = planeOf([...BASE, kubernetesCluster('c3', { trustDomains: ['td.three'] }), CALLERS_OF_C3]);
  assert.equal(
    ['c1', 'c2', 'c3'].map((cluster) => isMember(plane, cluster)),
    [true, true, false],
  );
  assert.match(
    virtualMeshOf(plane).reports.find(({ code }) => code === 'TRUST_DOMAIN_NOT_ALLOWED')?.message ?? '',
    'spec.trustDomains of KubernetesCluster c3 lists td.three; add it there if it is correct',
  );
});

test('clusters can share a listed trust domain, and the mesh becomes a member once it is listed', () => {
  const plane = planeOf([...BASE, ...LISTED]);
  assert.not.ok(isMember(plane, 'c3'));
  apply(plane, [{ ...kubernetesCluster('c3', { trustDomains: ['td.one'] }), gone: false }]);
  assert.ok(isMember(plane, 'c3'));
  assert.not.ok(virtualMeshOf(plane).reports.some(({ code }) => code === 'TRUST_DOMAIN_NOT_ALLOWED'));
});

test.run();
