/** If a plugin declares forbidden kinds among those it writes, only the rest is accepted. */

import { isForbiddenKind } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { isClustersOwn } from '../../src/apply/forbidden-outputs.ts';
import { WrittenKinds } from '../../src/apply/written-kinds.ts';

const kind = (group: string, name: string) => ({
  group,
  version: 'v1',
  kind: name,
  plural: `${name.toLowerCase()}s`,
  namespaced: true,
});

test('T20: kinds that contain permissions, secrets, identities or code are never accepted', () => {
  const greedy = [
    kind('rbac.authorization.k8s.io', 'ClusterRoleBinding'),
    kind('admissionregistration.k8s.io', 'ValidatingWebhookConfiguration'),
    kind('', 'Secret'),
    kind('', 'Pod'),
    kind('networking.istio.io', 'Gateway'),
    kind('', 'ConfigMap'),
  ];
  const kinds = new WrittenKinds([{ plugin: { name: 'greedy', writes: greedy } } as never]);
  assert.equal(
    kinds.all.map((one) => one.kind),
    ['Gateway', 'ConfigMap'],
  );
  assert.is(kinds.find({ group: '', version: 'v1', kind: 'Secret' }), undefined);
  assert.not(isForbiddenKind({ group: 'secrets.example', kind: 'Secret' }));
  assert.ok(isClustersOwn('kube-system') && !isClustersOwn('kube-systems') && !isClustersOwn(''));
});

test.run();
