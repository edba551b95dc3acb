/** The admission policy of the fence: its kinds, and its ledger. Another test runs it on a real API server. */

import type { ResourceKind } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { fencePolicy } from '../../src/output/fence-policy.ts';

const kind = (group: string, plural: string, version = 'v1'): ResourceKind => ({
  group,
  version,
  kind: plural,
  plural,
  namespaced: true,
});

test('it matches exactly the written kinds, once each, and reads the ledger in the namespace of the agent', () => {
  const kinds = [kind('b', 'y'), kind('a', 'x'), kind('b', 'w'), kind('b', 'y', 'v2'), kind('', 'services')];
  const [policy, binding] = fencePolicy({ kinds, namespace: 'mesh' });
  assert.ok(policy && binding);
  const spec = policy.spec as { matchConstraints: { resourceRules: { apiGroups: string[]; resources: string[] }[] } };
  assert.equal(
    spec.matchConstraints.resourceRules.map(({ apiGroups, resources }) => [...apiGroups, ...resources]),
    [
      ['', 'services'],
      ['a', 'x'],
      ['b', 'w', 'y'],
    ],
  );
  assert.equal((binding.spec as { paramRef: object }).paramRef, {
    name: 'agent',
    namespace: 'mesh',
    parameterNotFoundAction: 'Allow',
  });
  assert.equal(
    fencePolicy({ kinds: [...kinds].reverse(), namespace: 'mesh' }),
    fencePolicy({ kinds, namespace: 'mesh' }),
  );
});

test.run();
