// What omitted fields mean; everything else stays omitted.
import { assert, test } from '@meshrelay/testing';
import {
  defaultAccessPolicySpec,
  defaultIngressGatewaySelector,
  defaultKubernetesClusterSpec,
  defaultTrafficPolicySpec,
  defaultVirtualMeshSpec,
} from '../src/mod.ts';

const meshes = [{ name: 'm', namespace: 'meshrelay' }];

test('a virtual mesh federates what it selects, under global, and leaves access to the mesh', () => {
  assert.equal(defaultVirtualMeshSpec({ meshes }), {
    meshes,
    federation: { mode: 'SELECTED', hostnameSuffix: 'global' },
    globalAccessPolicy: 'MESH_DEFAULT',
  });
});

test('what a virtual mesh says is kept', () => {
  const spec = {
    meshes,
    federation: { mode: 'ALL', hostnameSuffix: 'soloio', flatNetwork: true },
    globalAccessPolicy: 'ENABLED',
    mtlsConfig: { limited: {}, strict: true },
  } as const;
  assert.equal(defaultVirtualMeshSpec(spec), spec);
});

test('shared trust without a source has a generated root', () => {
  const generated = { rootCertificateAuthority: { generated: {} } };
  assert.equal(defaultVirtualMeshSpec({ meshes, mtlsConfig: { shared: {} } }).mtlsConfig, { shared: generated });
  const empty = { shared: { rootCertificateAuthority: {} }, strict: true };
  assert.equal(defaultVirtualMeshSpec({ meshes, mtlsConfig: empty }).mtlsConfig, {
    shared: generated,
    strict: true,
  });
  const secret = { shared: { rootCertificateAuthority: { secret: { name: 'root', namespace: 'n' } } } };
  assert.equal(defaultVirtualMeshSpec({ meshes, mtlsConfig: secret }).mtlsConfig, secret);
});

test('an access policy allows', () => {
  assert.equal(defaultAccessPolicySpec({}), { action: 'ALLOW' });
  assert.equal(defaultAccessPolicySpec({ action: 'DENY', allowedPorts: [1] }), { action: 'DENY', allowedPorts: [1] });
});

test('outlier detection has values only where it is asked for', () => {
  assert.equal(defaultTrafficPolicySpec({ policy: { faultInjection: { fixedDelay: '1s' } } }), {
    policy: { faultInjection: { fixedDelay: '1s' } },
  });
  assert.equal(defaultTrafficPolicySpec({ policy: { outlierDetection: { interval: '5s' } } }), {
    policy: {
      outlierDetection: { consecutiveErrors: 5, interval: '5s', baseEjectionTime: '30s', maxEjectionPercent: 100 },
    },
  });
});

test('goals of a shift weigh the same where no weight is named', () => {
  const [first, second] = ['v1', 'v2'].map((name) => ({ kubeService: { name, namespace: 'n', clusterName: 'c' } }));
  const policy = { trafficShift: { destinations: [{ ...first }, { ...second, weight: 0 }] } };
  assert.equal(defaultTrafficPolicySpec({ policy }), {
    policy: {
      trafficShift: {
        destinations: [
          { ...first, weight: 1 },
          { ...second, weight: 0 },
        ],
      },
    },
  });
});

test('a cluster is cluster.local and not suspended; gateways listen on tls', () => {
  assert.equal(defaultKubernetesClusterSpec({}), { clusterDomain: 'cluster.local', suspended: false });
  assert.equal(defaultKubernetesClusterSpec({ suspended: true }), { clusterDomain: 'cluster.local', suspended: true });
  assert.equal(defaultIngressGatewaySelector({}), { portName: 'tls' });
});

test.run();
