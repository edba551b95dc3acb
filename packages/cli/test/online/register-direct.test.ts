/**
 * Registering a cluster that the server connects to by a kubeconfig: what is checked, stored and declared, and what is
 * rejected first.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject, KubernetesClusterStatus } from '@meshrelay/api';
import { meshrelayKind, type ResourceAccess, Secrets } from '@meshrelay/kube';
import { assert, test } from '@meshrelay/testing';
import { LEASE } from '../../src/online/kinds.ts';
import { missingRights } from '../../src/online/missing-rights.ts';
import { managementCluster, NAMESPACE, type TestCluster, workloadCluster } from '../support/clusters.ts';
import { meshctlHere, type Result } from '../support/run.ts';

const run = (management: TestCluster, ...args: readonly string[]): Promise<Result> =>
  meshctlHere([...args, '--mgmt-kubeconfig', management.kubeconfig], management.folder);
const register = (management: TestCluster, file: string, ...more: readonly string[]): Promise<Result> =>
  run(management, 'cluster', 'register', 'east', '--direct', file, ...more);
const registered = ({ connection }: TestCluster) =>
  connection.objects(meshrelayKind('KubernetesCluster')).read({ namespace: NAMESPACE, name: 'east' });

/**
 * Acts as a server that connects to the cluster: it holds the Lease there, and reports it in the management cluster.
 */
async function takePart(management: TestCluster, workload: TestCluster, holderIdentity: string): Promise<void> {
  await holdLease(workload, holderIdentity);
  const status = { state: 'CONNECTED', connectedReplica: holderIdentity.split('_')[0] } as KubernetesClusterStatus;
  const where = { namespace: NAMESPACE, name: 'east' };
  await management.connection
    .objects(meshrelayKind('KubernetesCluster'))
    .applyStatus(where, status, { fieldManager: 'test', force: true });
}

async function holdLease({ connection }: TestCluster, holderIdentity: string): Promise<void> {
  const spec = { holderIdentity, leaseDurationSeconds: 15, renewTime: new Date().toISOString().replace('Z', '000Z') };
  const metadata = { name: 'meshrelay-agent', namespace: NAMESPACE };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
  await connection.objects(LEASE).apply(lease, { fieldManager: 'test', force: true });
}

test('the kubeconfig is stored, and the registration names it; a repeated call replaces it', async () => {
  await using management = await managementCluster();
  // It contains the objects of a prepared cluster.
  await using workload = await managementCluster();
  const { code, stdout, stderr } = await register(management, workload.kubeconfig, '--timeout', '0s');
  assert.equal([code, stderr], [0, '']);
  assert.match(stdout, '✓ kubeconfig stored in meshrelay/east-kubeconfig');
  const object = await registered(management);
  assert.equal(object?.spec, { secretName: 'east-kubeconfig', clusterDomain: 'cluster.local' });
  const secrets = new Secrets(management.connection, NAMESPACE);
  assert.is((await secrets.read('east-kubeconfig'))?.data['kubeconfig'], workload.sim.kubeconfig);
  assert.is(await secrets.read('relay-tokens'), undefined, 'no token is made');

  await using other = await managementCluster();
  await takePart(management, other, 'server-0_1');
  const early = await register(management, other.kubeconfig, '--timeout', '300ms');
  assert.match(early.stderr, 'until the server reaches east: east is CONNECTED, and server-0_1 holds Lease');
  const again = await register(management, other.kubeconfig);
  assert.is(again.code, 0, again.stderr);
  assert.match(again.stdout, '✓ the server reaches the cluster');
  assert.is((await secrets.read('east-kubeconfig'))?.data['kubeconfig'], other.sim.kubeconfig);
});

test('the same command converts a cluster with an agent to one without', async () => {
  await using management = await managementCluster();
  await using workload = await managementCluster();
  await management.connection.objects(meshrelayKind('KubernetesCluster')).create({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name: 'east', namespace: NAMESPACE },
    spec: { clusterDomain: 'east.example' },
  } as KubeObject);
  const { code } = await register(management, workload.kubeconfig, '--timeout', '0s');
  assert.is(code, 0);
  assert.equal((await registered(management))?.spec, { clusterDomain: 'east.example', secretName: 'east-kubeconfig' });
  await register(management, workload.kubeconfig, '--timeout', '0s', '--cluster-domain', 'other.example');
  assert.equal((await registered(management))?.spec, { clusterDomain: 'other.example', secretName: 'east-kubeconfig' });
});

test('a kubeconfig that no server could use is rejected, and no object is left behind', async () => {
  await using management = await managementCluster();
  await using bare = await workloadCluster();
  await using unprepared = await managementCluster({ withCrds: false });
  const file = (name: string, text: string): string => {
    const path = join(management.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const local = bare.sim.kubeconfig.replace(/certificate-authority-data: .*/, 'certificate-authority: /etc/ca.crt');
  const cases: ReadonlyArray<readonly [string, RegExp]> = [
    ['nowhere.yaml', /--direct nowhere\.yaml: it cannot be read/],
    [file('bad.yaml', 'users: ['), /--direct .*bad\.yaml: .*cannot be read as a kubeconfig/],
    [file('local.yaml', local), /refers to this machine \(certificate-authority\)/],
    [bare.kubeconfig, /has no namespace meshrelay; .*meshctl cluster rbac --direct/],
    [unprepared.kubeconfig, /install the Meshrelay CRDs/],
  ];
  for (const [path, message] of cases) {
    const { code, stderr } = await register(management, path, '--timeout', '0s');
    assert.is(code, 1, path);
    assert.match(stderr, message);
  }
  assert.is(await registered(management), undefined);
  assert.is(await new Secrets(management.connection, NAMESPACE).read('east-kubeconfig'), undefined);
});

test('a cluster with a running agent is rejected: the agent would keep the Lease, and the server could not acquire it', async () => {
  await using management = await managementCluster();
  await using workload = await managementCluster();
  await takePartBefore(management, workload);
  const { code, stdout, stderr } = await register(management, workload.kubeconfig);
  assert.is(code, 1);
  assert.not.match(stdout, 'the server reaches the cluster');
  assert.match(stderr, 'an agent already manages this cluster: agent-0_1 holds Lease meshrelay/meshrelay-agent there');
  assert.match(stderr, 'kubectl -n meshrelay scale deployment meshrelay-agent --replicas=0');
  assert.is(await new Secrets(management.connection, NAMESPACE).read('east-kubeconfig'), undefined);
  assert.equal((await registered(management))?.spec, { clusterDomain: 'cluster.local' });
});

/** Acts as a connected agent. */
async function takePartBefore(management: TestCluster, workload: TestCluster): Promise<void> {
  await management.connection.objects(meshrelayKind('KubernetesCluster')).create({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name: 'east', namespace: NAMESPACE },
    spec: {},
  });
  await takePart(management, workload, 'agent-0_1');
}

test('missing permissions are named, each with its resource', async () => {
  const rights = {
    cluster: [
      { apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['cacerts'], verbs: ['update'] },
      { apiGroups: ['a.dev'], resources: ['things/status'], verbs: ['patch'] },
    ],
    namespace: [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create'] }],
    otherClusters: [
      {
        namespace: 'istio-system',
        purpose: 'mesh-ca',
        rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['cacerts'], verbs: ['get', 'update'] }],
      },
    ],
  };
  const requested: ResourceAccess[] = [];
  const mayI = async (access: ResourceAccess): Promise<boolean> => {
    requested.push(access);
    return access.resource === 'services' || access.verb === 'get';
  };
  assert.equal(await missingRights({ mayI }, rights, 'relay'), [
    'list of pods',
    'update of secrets named cacerts',
    'patch of things/status.a.dev',
    'create of leases.coordination.k8s.io in namespace relay',
    'update of secrets named cacerts in namespace istio-system',
  ]);
  const status = { verb: 'patch', group: 'a.dev', resource: 'things', subresource: 'status' };
  assert.equal(
    requested.find(({ group }) => group === 'a.dev'),
    status,
  );
  assert.is(requested.find(({ resource }) => resource === 'leases')?.namespace, 'relay');
  assert.equal(await missingRights({ mayI: async () => true }, rights, 'relay'), []);
});

test('it reports if the server does not connect in time', async () => {
  await using management = await managementCluster();
  await using workload = await managementCluster();
  const { code, stderr } = await register(management, workload.kubeconfig, '--timeout', '300ms');
  assert.is(code, 1);
  assert.match(stderr, 'timed out after 0.3 s waiting until the server reaches east');
});

test.run();
