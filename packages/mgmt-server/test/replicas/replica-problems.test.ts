/** Problems of a replica, as `meshctl check` shows them. */
import { loadPlugins, quarantine } from '@meshrelay/relay-core';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, test } from '@meshrelay/testing';
import { replicaProblems } from '../../src/replicas/replica-problems.ts';

const readiness = {
  management: { unsyncedKinds: new Map() },
  accepting: () => true,
  broken: new AbortController().signal,
};

test('a quarantined plugin is a problem with its reason', () => {
  const [loaded] = loadPlugins([{ module: 'istio', plugin: testMesh }]);
  assert.ok(loaded);
  assert.equal(replicaProblems({ readiness, staleSince: undefined, plugins: [loaded] }), []);
  assert.equal(replicaProblems({ readiness, staleSince: undefined, plugins: [quarantine(loaded, 'it hung')] }), [
    'the plugin istio is quarantined: it hung',
  ]);
});

test.run();
