/** A plugin that says it writes what none may is taken at its word for the rest alone. */
import { assert, test } from '@meshrelay/testing';
import { isClustersOwn, isForbiddenOutput } from '../../src/apply/forbidden-outputs.ts';
import { WrittenKinds } from '../../src/apply/written-kinds.ts';

const kind = (group: string, name: string) => ({
  group,
  version: 'v1',
  kind: name,
  plural: `${name.toLowerCase()}s`,
  namespaced: true,
});

test('T20: kinds that hold rights, secrets, identities or code are out of every remit', () => {
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
  assert.not(isForbiddenOutput({ group: 'secrets.example', kind: 'Secret' }));
  assert.ok(isClustersOwn('kube-system') && !isClustersOwn('kube-systems') && !isClustersOwn(''));
});

test.run();
