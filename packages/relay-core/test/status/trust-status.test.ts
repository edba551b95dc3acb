/**
 * Reports to a virtual mesh about trust: advice that its members can follow, also with meshes that keep their own root.
 */
import type { KubeObject, Mesh } from '@meshrelay/api';
import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createControlPlane, createGraph, MANAGEMENT_CLUSTER, setObject, settle } from '../../src/mod.ts';
import { capabilities, fakePlugin } from '../support/fake-plugin.ts';
import { sha256 as hash } from '../support/hash.ts';

const PLUGINS = [
  fakePlugin({ name: 'sharing' }),
  fakePlugin({
    name: 'alone',
    capabilities: capabilities({ 'mesh.trust.shared': { unsupported: 'a root of its own' } }),
  }),
];

function mesh(cluster: string, type: string): Mesh {
  return {
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Mesh',
    metadata: { name: 'control', namespace: 'system' },
    spec: { type, cluster, installation: { namespace: 'system' }, trustDomain: 'td' },
  };
}

/** Condition and own reports of a virtual mesh with one mesh of each type, in clusters `a`, `b` and so on. */
function errorMessage(types: readonly string[], mtlsConfig: object) {
  const clusters = types.map((_, index) => String.fromCharCode('a'.charCodeAt(0) + index));
  const virtualMesh: KubeObject = {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'VirtualMesh',
    metadata: { name: 'all', namespace: 'meshrelay' },
    spec: { meshes: clusters.map((name) => ({ name: `control-system-${name}`, namespace: 'meshrelay' })), mtlsConfig },
  };
  const options = { plugins: PLUGINS, hash };
  const control = createControlPlane(createGraph({ freeze: true }), options);
  control.graph.commit((transaction) => {
    for (const [index, name] of clusters.entries()) {
      transaction.set(control.fleetState.clusters, key(name), { name, domain: 'cluster.local', suspended: false });
      setObject(transaction, control.fleetState, name, mesh(name, types[index] ?? ''));
    }
    setObject(transaction, control.fleetState, MANAGEMENT_CLUSTER, virtualMesh);
  });
  settle(control, options);
  const [entry] = control.statuses.entries();
  const { conditions = [], reports = [] } = entry?.[1].status ?? {};
  const [condition] = conditions;
  assert.equal(
    reports.filter(({ code }) => code === 'TRUST_NOT_ESTABLISHED').map(({ message }) => message),
    conditions.map(({ message }) => message),
  );
  return { status: condition?.status, reason: condition?.reason, message: condition?.message };
}

const NOT_SUPPORTED = { status: 'False', reason: 'NotSupported' };
const GATEWAYS = 'this version does not support trust between gateways only';

test('limited trust among meshes that can share a root: advises to share one', () => {
  assert.equal(errorMessage(['sharing', 'sharing'], { limited: {} }), {
    ...NOT_SUPPORTED,
    message: `${GATEWAYS}; set spec.mtlsConfig.shared`,
  });
});

test('limited trust among meshes that cannot share a root: advises to omit it', () => {
  assert.equal(errorMessage(['alone', 'alone'], { limited: {} }), {
    ...NOT_SUPPORTED,
    message: `${GATEWAYS}, and control-system-a, control-system-b cannot take a shared root: remove spec.mtlsConfig.limited, and each keeps its own`,
  });
});

test('limited trust where only some can share a root: advises to remove the others', () => {
  assert.equal(errorMessage(['sharing', 'alone'], { limited: {} }), {
    ...NOT_SUPPORTED,
    message: `${GATEWAYS}, and control-system-b cannot take a shared root: remove it from spec.meshes, and set spec.mtlsConfig.shared for the rest`,
  });
});

test('shared trust with a mesh that cannot share a root is not pending', () => {
  assert.equal(errorMessage(['sharing', 'sharing', 'alone'], { shared: {} }), {
    ...NOT_SUPPORTED,
    message:
      'control-system-c cannot take a shared root, so calls between it and the other members fail: remove it from spec.meshes',
  });
  assert.equal(errorMessage(['alone'], { shared: {} }), {
    ...NOT_SUPPORTED,
    message: 'control-system-a cannot take a shared root: remove spec.mtlsConfig.shared, and it keeps its own',
  });
});

test('shared trust among meshes that can share a root is pending', () => {
  const { status, reason } = errorMessage(['sharing', 'sharing'], { shared: {} });
  assert.equal({ status, reason }, { status: 'Unknown', reason: 'RootsUnknown' });
});

test.run();
