/** A mesh belongs to one virtual mesh, the one accepted first. Every member is checked, not only the first. */
import type { KubeObject } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type ControlPlane, settle } from '../../../src/mod.ts';
import { fakePlugin } from '../../support/fake-plugin.ts';
import { apply, planeOf } from '../../support/fleet-states.ts';
import { sha256 } from '../../support/hash.ts';
import type { Placed } from '../../support/placed.ts';

const MEMBERS = ['c1', 'c2', 'c3', 'c4'] as const;
const options = { plugins: [fakePlugin()], hash: sha256 };

const meshes: Placed[] = MEMBERS.map((cluster) => ({
  cluster,
  object: {
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Mesh',
    metadata: { name: 'cp', namespace: 'fake' },
    spec: { type: 'fake', cluster, installation: { namespace: 'fake' }, trustDomain: cluster },
  } as unknown as KubeObject,
}));

function virtualMesh(name: string, members: readonly string[]): Placed {
  const spec = { meshes: members.map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' })) };
  const apiVersion = 'networking.meshrelay.dev/v1alpha1';
  return {
    cluster: '',
    object: { apiVersion, kind: 'VirtualMesh', metadata: { name, namespace: 'n' }, spec } as never,
  };
}

const statusOf = ({ statuses }: ControlPlane, name: string) => statuses.get(key('VirtualMesh', '', 'n', name))?.status;
const ownerOf = ({ resolved }: ControlPlane, cluster: string): string | undefined =>
  resolved.virtualMeshes.memberships.get(key(cluster, 'fake', 'cp'))?.ref.name;

test('a conflict on a later member names the member and its owner, and the other members stay', () => {
  const plane = planeOf([...meshes, virtualMesh('first', ['c1', 'c2'])]);
  settle(plane, options);
  apply(plane, [{ ...virtualMesh('second', ['c3', 'c2', 'c4']), gone: false }]);
  const status = statusOf(plane, 'second');
  assert.is(status?.state, 'CONFLICT');
  assert.equal(
    status?.reports.map(({ code, field, related }) => [code, field, related?.map(({ name }) => name)]),
    [['CONFLICT', 'spec.meshes[1]', ['first']]],
  );
  assert.match(status?.reports[0]?.message ?? '', 'Mesh cp-fake-c2 already belongs to VirtualMesh n/first');
  assert.equal(
    MEMBERS.map((cluster) => ownerOf(plane, cluster)),
    ['first', 'first', 'second', 'second'],
  );
  assert.is(statusOf(plane, 'first')?.state, 'ACCEPTED');
  apply(plane, [{ ...virtualMesh('first', ['c1']), gone: false }]);
  assert.is(statusOf(plane, 'second')?.state, 'ACCEPTED', 'it heals by itself');
});

test('a reference to a Mesh in a wrong namespace is not a member, and the report names the right namespace', () => {
  const { cluster, object } = virtualMesh('astray', ['c1']);
  const astray = [{ name: 'cp-fake-c1', namespace: 'fake' }];
  const plane = planeOf([...meshes, { cluster, object: { ...object, spec: { meshes: astray } } as never }]);
  settle(plane, options);
  assert.is(ownerOf(plane, 'c1'), undefined);
  const status = statusOf(plane, 'astray');
  assert.equal([status?.state, status?.reports[0]?.field], ['PENDING', 'spec.meshes[0]']);
  assert.match(
    status?.reports[0]?.message ?? '',
    'no Mesh fake/cp-fake-c1 is known (Mesh objects are in namespace meshrelay; use that)',
  );
});

test('when the first virtual mesh is deleted, the later one gets its meshes', () => {
  const plane = planeOf([...meshes, virtualMesh('first', ['c1', 'c2'])]);
  settle(plane, options);
  apply(plane, [{ ...virtualMesh('second', ['c1', 'c2', 'c3']), gone: false }]);
  settle(plane, options);
  assert.equal(statusOf(plane, 'second')?.reports.length, 2);
  apply(plane, [{ ...virtualMesh('first', ['c1', 'c2']), gone: true }]);
  assert.equal(
    MEMBERS.map((cluster) => ownerOf(plane, cluster)),
    ['second', 'second', 'second', undefined],
  );
  const status = statusOf(plane, 'second');
  assert.equal([status?.state, status?.reports.filter(({ code }) => code === 'CONFLICT')], ['ACCEPTED', []]);
  apply(plane, [{ ...virtualMesh('first', ['c1', 'c2']), gone: false }]);
});

test('a mesh that returns belongs to its virtual mesh again, even if another one claimed it meanwhile', () => {
  const plane = planeOf([...meshes, virtualMesh('first', ['c1', 'c2'])]);
  settle(plane, options);
  const mesh = meshes.find(({ cluster }) => cluster === 'c2') as Placed;
  apply(plane, [{ ...mesh, gone: true }]);
  const away = statusOf(plane, 'first');
  assert.is(away?.state, 'PENDING');
  assert.equal(
    away?.reports.map(({ code, field }) => [code, field]).filter(([code]) => code === 'REF_NOT_FOUND'),
    [['REF_NOT_FOUND', 'spec.meshes[1]']],
  );
  assert.is(ownerOf(plane, 'c1'), 'first', 'the others stay');
  apply(plane, [{ ...virtualMesh('again', ['c2']), gone: false }]);
  settle(plane, options);
  apply(plane, [{ ...mesh, gone: false }]);
  assert.equal([ownerOf(plane, 'c2'), statusOf(plane, 'first')?.state], ['first', 'ACCEPTED']);
  assert.is(statusOf(plane, 'again')?.state, 'CONFLICT');
});

test('missing Services and meshes of a virtual mesh make it pending until they appear', () => {
  const one = virtualMesh('vm', ['c1']);
  const service = { name: 'gw', namespace: 'x', clusterName: 'c1' };
  const spec = {
    ...(one.object.spec as object),
    federation: {
      mode: 'SELECTED',
      selectors: [
        {
          meshes: [
            { name: 'cp-fake-c1', namespace: 'meshrelay' },
            { name: 'cp-fake-c9', namespace: 'meshrelay' },
          ],
        },
      ],
      eastWestIngressGatewaySelectors: [{ destinationSelectors: [{ kubeServiceRefs: { services: [service] } }] }],
    },
  };
  const plane = planeOf([...meshes, { ...one, object: { ...one.object, spec } as KubeObject }]);
  const missing = () =>
    (statusOf(plane, 'vm')?.reports ?? []).filter(({ code }) => code === 'REF_NOT_FOUND').map(({ field }) => field);
  assert.is(statusOf(plane, 'vm')?.state, 'PENDING');
  assert.equal(missing().sort(), [
    'spec.federation.eastWestIngressGatewaySelectors[0].destinationSelectors[0].kubeServiceRefs.services[0]',
    'spec.federation.selectors[0].meshes[1]',
  ]);
  const [mesh] = meshes;
  assert.ok(mesh);
  const kubeService = {
    ref: service,
    ports: [{ port: 15443, name: 'tls', protocol: 'TCP' }],
    serviceType: 'CLUSTER_IP',
  };
  const destination = {
    apiVersion: mesh.object.apiVersion,
    kind: 'Destination',
    metadata: { name: 'gw', namespace: 'x' },
  };
  const late = { ...mesh.object, spec: { ...(mesh.object.spec as object), cluster: 'c9' } } as KubeObject;
  apply(plane, [
    { cluster: 'c9', object: late, gone: false },
    { cluster: 'c1', object: { ...destination, spec: { kubeService } } as unknown as KubeObject, gone: false },
  ]);
  assert.equal(missing(), []);
});

test('a mesh never has more than one virtual mesh, and each other claimant gets a report for each member', () => {
  const members = fc.uniqueArray(fc.constantFrom(...MEMBERS), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(members, { minLength: 1, maxLength: 4 }), (claims) => {
      const plane = planeOf([...meshes, ...claims.map((claimed, index) => virtualMesh(`vm${index}`, claimed))]);
      settle(plane, options);
      claims.forEach((claimed, index) => {
        const name = `vm${index}`;
        const missing = claimed.flatMap((cluster, at) =>
          ownerOf(plane, cluster) === name ? [] : [`spec.meshes[${at}]`],
        );
        const reports = statusOf(plane, name)?.reports.filter(({ code }) => code === 'CONFLICT') ?? [];
        assert.equal(
          reports.map(({ field }) => field),
          missing,
        );
        assert.is(statusOf(plane, name)?.state === 'CONFLICT', missing.length > 0);
      });
      for (const cluster of MEMBERS)
        assert.is(
          ownerOf(plane, cluster) !== undefined,
          claims.some((claimed) => claimed.includes(cluster)),
        );
    }),
    { numRuns: scaledRuns(50) },
  );
});

test.run();
