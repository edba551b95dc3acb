/** Observed policies: each is validated once. */
import type { KubeObject, Report } from '@meshrelay/api';
import { decodeObject } from '@meshrelay/api';
import { groupOf } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createFleetState, createGraph, deleteObject, setObject } from '../../../src/mod.ts';
import { distinctPolicies, observedPolicies } from '../../../src/resolve/policies/observed-policies.ts';

const broken = {
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'TrafficPolicy',
  metadata: { name: 'p', namespace: 'n' },
  spec: { policy: { requestTimeout: 'soon' } },
} as unknown as KubeObject;

function faultsOf(object: KubeObject, faults?: readonly Report[]): readonly Report[] {
  const graph = createGraph();
  const fleetState = createFleetState(graph);
  const reported = observedPolicies(graph, fleetState, 'meshrelay');
  graph.commit((transaction) => setObject(transaction, fleetState, '', object, faults));
  const [one] = reported.entries();
  return one?.[1].faults ?? [];
}

test('a policy without reports from decoding gets the reports that decoding would find', () => {
  const { object, reports = [] } = decodeObject(broken);
  assert.ok(object !== undefined && reports.length > 0);
  assert.equal(faultsOf(broken), reports);
});

test('a root outside the management namespace is rejected before anything is signed', () => {
  const virtualMesh = (namespace: string) =>
    ({
      apiVersion: 'networking.meshrelay.dev/v1alpha1',
      kind: 'VirtualMesh',
      metadata: { name: 'vm', namespace: 'elsewhere' },
      spec: {
        meshes: [{ name: 'm', namespace: 'meshrelay' }],
        mtlsConfig: { shared: { rootCertificateAuthority: { secret: { name: 'root', namespace } } } },
      },
    }) as unknown as KubeObject;
  assert.equal(faultsOf(virtualMesh('meshrelay')), []);
  const [fault] = faultsOf(virtualMesh('default'));
  assert.is(fault?.code, 'INVALID_VALUE');
  assert.is(fault?.field, 'spec.mtlsConfig.shared.rootCertificateAuthority.secret.namespace');
  assert.match(fault?.message ?? '', 'Secret default/root is not in the management namespace');
});

test('reports from decoding are not computed again', () => {
  const report: Report = { code: 'OUT_OF_RANGE', severity: 'error', message: 'as it was found' };
  assert.equal(faultsOf(broken, [report]), [report]);
  assert.equal(faultsOf(broken, []), []);
});

test('a management policy that a workload cluster also reports counts once; any other belongs to its reporting cluster', () => {
  const graph = createGraph();
  const fleetState = createFleetState(graph);
  const distinct = distinctPolicies(graph, observedPolicies(graph, fleetState, 'meshrelay'));
  const reported = (name: string, uid?: string): KubeObject =>
    ({ ...broken, metadata: { name, namespace: 'n', ...(uid === undefined ? {} : { uid }) } }) as unknown as KubeObject;
  const there = () => [...distinct.entries()].map(([, { ref }]) => `${ref.cluster}/${ref.name}`).sort();
  graph.commit((transaction) => {
    setObject(transaction, fleetState, '', reported('p', 'one'));
    setObject(transaction, fleetState, '', reported('without'));
    setObject(transaction, fleetState, 'c1', reported('p', 'one'));
    setObject(transaction, fleetState, 'c1', reported('q', 'two'));
    setObject(transaction, fleetState, 'c1', reported('without'));
    setObject(transaction, fleetState, 'c2', reported('p', 'three'));
    setObject(transaction, fleetState, 'c2', reported('q', 'two'));
  });
  assert.equal(there(), ['/p', '/without', 'c1/q', 'c1/without', 'c2/p', 'c2/q']);
  graph.commit((transaction) => {
    deleteObject(transaction, fleetState, '', {
      group: groupOf(broken.apiVersion),
      kind: broken.kind,
      namespace: 'n',
      name: 'p',
    });
  });
  assert.ok(there().includes('c1/p'), 'the management cluster has it no more, and that cluster does');
});

test.run();
