/** A report about a generated object that is not applied names the field of the policy that requests the object. */
import { policyKinds } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { selectingField } from '../../src/output/selecting-field.ts';
import { BASE } from '../support/base-fleet.ts';
import { planeOf } from '../support/fleet-states.ts';
import type { Placed } from '../support/placed.ts';

const users = (cluster: string, name: string): Placed =>
  ({
    cluster,
    object: { apiVersion: 'fake.example/v1', kind: 'Sheet', metadata: { name, namespace: 'x' }, spec: {} },
  }) as unknown as Placed;

const slow = {
  cluster: '',
  object: {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name: 'slow', namespace: 'policies' },
    spec: { policy: { requestTimeout: '5s' } },
  },
} as unknown as Placed;

function fieldsWith(object: Placed): ReadonlyArray<readonly [kind: string, code: string, field: string | undefined]> {
  const reported = [...planeOf([...BASE, slow, object]).statuses.entries()].flatMap(([, { ref, status }]) =>
    status.targets.flatMap(({ reports }) => reports.map(({ code, field }) => [ref.kind, code, field] as const)),
  );
  return reported.filter(([, code]) =>
    ['OBJECT_EXISTS', 'OBJECT_CONFLICT', 'PARTIAL_OBJECT_CONFLICT', 'OVERLAPPING_OBJECT'].includes(code),
  );
}

test('an object of that name, or with the same claim: the destination selector of the policy', () => {
  assert.equal(fieldsWith(users('c1', 'local.a')), [['TrafficPolicy', 'OBJECT_EXISTS', 'spec.destinationSelector']]);
  assert.equal(fieldsWith(users('c1', 'conflict.a')), [
    ['TrafficPolicy', 'OBJECT_CONFLICT', 'spec.destinationSelector'],
  ]);
});

test('an object for federation: the federation of the virtual mesh', () => {
  assert.equal(fieldsWith(users('c2', 'endpoints.a.c1')), [['VirtualMesh', 'OBJECT_EXISTS', 'spec.federation']]);
});

test('an object of a virtual mesh on its members may result from any of its fields', () => {
  assert.is(selectingField({ kind: 'VirtualMesh' }, 'Mesh'), 'spec');
});

test('every kind of policy has a field', () => {
  for (const kind of policyKinds) assert.match(selectingField({ kind }, 'Destination'), /^spec/);
  assert.is(selectingField({ kind: 'AccessPolicy' }, 'Destination'), 'spec.destinationSelector');
  assert.is(selectingField({ kind: 'AccessLogRecord' }, 'Workload'), 'spec.workloadSelectors');
  assert.is(selectingField({ kind: 'WasmDeployment' }, 'Workload'), 'spec.workloadSelectors');
});

test.run();
