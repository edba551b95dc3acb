/** A compromised server: it can make an agent write only the kinds that plugins write, and only managed objects. */
import type { KubeObject } from '@meshrelay/api';
import { AGENT_SECRETS, OWNER_LABEL } from '@meshrelay/relay-core';
import { ISTIO, NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { register, startReplica } from './harness/agents.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();
const labels = { [OWNER_LABEL]: NAMESPACE };

/** An object with the owner label, of any kind. */
const managed = (apiVersion: string, kind: string, namespace: string | undefined, rest: object = {}): KubeObject =>
  ({
    apiVersion,
    kind,
    metadata: { name: 'mine', ...(namespace === undefined ? {} : { namespace }), labels },
    ...rest,
  }) as unknown as KubeObject;

const POD = { spec: { containers: [{ name: 'a', image: 'evil:1' }] } };
const EVIL: readonly KubeObject[] = [
  managed('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', undefined, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  }),
  managed('rbac.authorization.k8s.io/v1', 'Role', 'shop'),
  managed('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', undefined),
  managed('v1', 'Pod', 'shop', POD),
  managed('v1', 'Secret', 'shop', { data: {} }),
  managed('v1', 'ConfigMap', 'shop', { data: {} }),
  managed('v1', 'ServiceAccount', 'shop'),
  managed('v1', 'Namespace', undefined),
  managed('apps/v1', 'Deployment', 'shop', { spec: { selector: { matchLabels: {} }, template: POD } }),
  managed('admin.meshrelay.dev/v1alpha1', 'OutputLedger', NAMESPACE, { spec: { term: 99 } }),
  managed('coordination.k8s.io/v1', 'Lease', NAMESPACE, { spec: {} }),
  managed(ISTIO, 'VirtualService', 'kube-system', { spec: { hosts: ['a'] } }),
  { ...output('VirtualService', 'unlabelled'), metadata: { name: 'unlabelled', namespace: 'shop' } },
  output('VirtualService', 'others', {}, 'another-installation'),
];

test('T20: every output beyond the limits is rejected and reported, and none of it takes effect', async () => {
  const users = {
    ...output('VirtualService', 'users', { hosts: ['users'] }),
    metadata: { name: 'users', namespace: 'shop' },
  };
  const system = managed(ISTIO, 'VirtualService', 'kube-system', { spec: { hosts: ['old'] } });
  await using cluster = await TestCluster.start({
    objects: [users, { ...system, metadata: { ...system.metadata, name: 'old' } }] as never,
  });
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay);
  const untouched = () =>
    JSON.stringify(
      cluster.sim
        .snapshot()
        .filter(
          ({ kind, metadata }) =>
            !['Lease', 'OutputLedger', 'Event'].includes(kind) &&
            !['good', ...AGENT_SECRETS].includes(metadata.name ?? ''),
        )
        .map((object) => [
          object.kind,
          object.metadata.namespace,
          object.metadata.name,
          object.metadata.resourceVersion,
        ]),
    );
  await eventually('it leads', () => agent.term !== undefined);
  const before = untouched();
  // Requests everything, and the loss of the users' objects: by change, by deletion, and by declaring that nothing else
  // is desired.
  relay.commit({
    upserts: [...EVIL, output('VirtualService', 'users', { hosts: ['stolen'] }), output('VirtualService', 'good')],
  });
  await eventually('the good one is applied', () => cluster.get('VirtualService', 'good'), {
    seen: () => agent.log.lines.slice(-5),
  });
  await eventually('all are refused', () => relay.refused.length >= EVIL.length + 1, {
    seen: () => relay.refused.map(({ key, code }) => `${key.kind} ${key.name} ${code}`),
  });
  const codes = new Map(relay.refused.map(({ key, code }) => [`${key.kind} ${key.namespace}/${key.name}`, code]));
  assert.is(codes.get('ClusterRoleBinding /mine'), 'NOT_ALLOWED');
  assert.is(codes.get('Secret shop/mine'), 'NOT_ALLOWED');
  assert.is(codes.get('VirtualService kube-system/mine'), 'NOT_ALLOWED');
  assert.is(codes.get('VirtualService shop/unlabelled'), 'OTHER_OWNER');
  assert.is(codes.get('VirtualService shop/others'), 'OTHER_OWNER');
  assert.is(codes.get('VirtualService shop/users'), 'UNMANAGED_OBJECT_EXISTS');
  assert.is(untouched(), before);
  relay.commit({ deletes: [users as KubeObject, ...EVIL, output('VirtualService', 'good')] });
  await eventually('the generated object is deleted', () => cluster.get('VirtualService', 'good') === undefined);
  assert.is(untouched(), before);
});

test.run();
