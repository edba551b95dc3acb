/** A fleet from objects in memory decodes what it gets. */

import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { buildFleet, loadPlugins, statusDocument } from '../../src/mod.ts';
import { fakePlugin } from '../support/fake-plugin.ts';
import { sha256 as hash } from '../support/hash.ts';

const NAMESPACE = 'meshrelay';

function policyOf(policy: unknown, changes: object = {}): KubeObject {
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name: 'patient', namespace: NAMESPACE },
    spec: { policy },
    ...changes,
  } as unknown as KubeObject;
}

function entryOf(...management: readonly KubeObject[]) {
  const fleet = buildFleet({ clusters: [], management, plugins: [fakePlugin()], hash });
  const [entry] = statusDocument(fleet).policies;
  assert.ok(entry !== undefined);
  return entry;
}

test('a duration that is not one is rejected with its field', () => {
  const { state, reports } = entryOf(policyOf({ requestTimeout: 'soon' }));
  assert.is(state, 'INVALID');
  assert.ok(reports.some(({ field, message }) => field === 'spec.policy.requestTimeout' && message.includes('soon')));
});

for (const [what, policy, field, words] of [
  ['a number instead of a duration', policyOf({ requestTimeout: 42 }), 'spec.policy.requestTimeout', 'got 42'],
  ['an unknown field', policyOf({ trafficShiftt: {} }), 'spec.policy.trafficShiftt', 'did you mean trafficShift?'],
  [
    'an unknown version',
    policyOf({ requestTimeout: '2s' }, { apiVersion: 'networking.meshrelay.dev/v1' }),
    'apiVersion',
    'v1alpha1',
  ],
] as const) {
  test(`${what} is reported on the policy`, () => {
    const { state, reports } = entryOf(policy);
    assert.is(state, 'INVALID');
    const report = reports.find(({ code }) => code === 'INVALID_SCHEMA');
    assert.ok(report?.field?.startsWith(field) === true || report?.field === 'kind', JSON.stringify(reports));
    assert.ok(report.message.includes(words), report.message);
  });
}

test('a policy that fits its schema is not rejected', () => {
  assert.not.equal(entryOf(policyOf({ requestTimeout: '2s' })).state, 'INVALID');
});

test('an unreadable object of another kind is an error that names it', () => {
  const cluster = {
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name: 'east', namespace: NAMESPACE },
    spec: { suspendedd: true },
  } as unknown as KubeObject;
  assert.throws(
    () => entryOf(cluster),
    /KubernetesCluster meshrelay east of the management cluster: .*did you mean suspended\?/,
  );
  assert.throws(() => entryOf({ kind: 'TrafficPolicy' } as KubeObject), /TrafficPolicy of the management cluster: /);
});

test('discovery that fails is an error that names the plugin', () => {
  const { plugin } = fakePlugin({
    discover: () => {
      throw new Error('boom');
    },
  });
  const plugins = loadPlugins([{ module: 'fake', plugin }]);
  assert.throws(
    () => buildFleet({ clusters: [{ name: 'east', objects: [] }], management: [], plugins, hash }),
    /discovery of the plugin fake failed: boom/,
  );
});

test.run();
