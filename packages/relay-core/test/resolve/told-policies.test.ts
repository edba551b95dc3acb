/** Policies as they are told: what is wrong with them is looked for once. */
import type { KubeObject, Report } from '@meshrelay/api';
import { decodeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { createGraph, createWorld, setObject } from '../../src/mod.ts';
import { toldPolicies } from '../../src/resolve/told-policies.ts';

const broken = {
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'TrafficPolicy',
  metadata: { name: 'p', namespace: 'n' },
  spec: { policy: { requestTimeout: 'soon' } },
} as unknown as KubeObject;

function faultsOf(object: KubeObject, faults?: readonly Report[]): readonly Report[] {
  const graph = createGraph();
  const world = createWorld(graph);
  const told = toldPolicies(graph, world);
  graph.commit((transaction) => setObject(transaction, world, '', object, faults));
  const [one] = told.entries();
  return one?.[1].faults ?? [];
}

test('a policy that nobody has looked at is told what decoding it would have found', () => {
  const { object, reports = [] } = decodeObject(broken);
  assert.ok(object !== undefined && reports.length > 0);
  assert.equal(faultsOf(broken), reports);
});

test('what decoding found is not looked for again', () => {
  const report: Report = { code: 'OUT_OF_RANGE', severity: 'error', message: 'as it was found' };
  assert.equal(faultsOf(broken, [report]), [report]);
  assert.equal(faultsOf(broken, []), []);
});

test.run();
