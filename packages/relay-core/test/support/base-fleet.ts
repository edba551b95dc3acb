/** A working federated fleet as the base for random events. */
import type { KubeObject } from '@meshrelay/api';
import { CLUSTERS } from './fleet-objects.ts';
import type { Placed } from './placed.ts';

function mesh(cluster: string): Placed {
  return discovered('Mesh', cluster, 'cp', 'fake', {
    type: 'fake',
    cluster,
    installation: { namespace: 'fake' },
    trustDomain: 'td.one',
  });
}

function service(cluster: string, name: string, namespace: string): Placed {
  return discovered('Destination', cluster, name, namespace, {
    kubeService: {
      ref: { name, namespace, clusterName: cluster },
      labels: { tier: 'front' },
      workloadSelectorLabels: { app: name },
      ports: [{ port: 80, name: 'http', protocol: 'TCP', targetPortNumber: 8080 }],
      serviceType: 'CLUSTER_IP',
    },
    mesh: { name: 'cp', namespace: 'fake' },
  });
}

function workload(cluster: string, name: string, namespace: string): Placed {
  return discovered('Workload', cluster, `${name}-deployment`, namespace, {
    kubernetes: {
      controller: { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace, clusterName: cluster },
      podLabels: { app: name, tier: 'front' },
      serviceAccountName: 'default',
    },
    mesh: { name: 'cp', namespace: 'fake' },
  });
}

function gateway(cluster: string): Placed {
  return discovered('Destination', cluster, 'gw', 'x', {
    kubeService: {
      ref: { name: 'gw', namespace: 'x', clusterName: cluster },
      labels: { role: 'gateway' },
      workloadSelectorLabels: { app: 'gw' },
      ports: [{ port: 15443, name: 'tls', protocol: 'TCP', targetPortNumber: 8443 }],
      externalAddresses: [{ ip: `198.51.100.9${cluster.slice(1)}` }],
      serviceType: 'LOAD_BALANCER',
    },
    mesh: { name: 'cp', namespace: 'fake' },
  });
}

function discovered(kind: string, cluster: string, name: string, namespace: string, spec: unknown): Placed {
  return placed('discovery', kind, cluster, name, namespace, spec);
}

function placed(group: string, kind: string, cluster: string, name: string, namespace: string, spec: unknown): Placed {
  const apiVersion = `${group}.meshrelay.dev/v1alpha1`;
  return { cluster, object: { apiVersion, kind, metadata: { name, namespace }, spec } as unknown as KubeObject };
}

const hosts = CLUSTERS.flatMap((cluster) =>
  ['a', 'b'].flatMap((name) =>
    ['x', 'y'].flatMap((namespace) =>
      ['global', 'mesh', 'else'].map((suffix) => `${name}.${namespace}.svc.${cluster}.${suffix}`),
    ),
  ),
);

/**
 * Three meshes, two of them with a gateway, each with one or two services. All are federated to all, and every host has
 * its address.
 */
export const BASE: readonly Placed[] = [
  ...CLUSTERS.map(mesh),
  gateway('c1'),
  gateway('c2'),
  ...CLUSTERS.map((cluster) => service(cluster, 'a', 'x')),
  service('c1', 'b', 'y'),
  placed('networking', 'VirtualMesh', '', 'base', 'policies', {
    meshes: CLUSTERS.map((cluster) => ({ name: `cp-fake-${cluster}`, namespace: 'meshrelay' })),
    federation: { mode: 'ALL' },
  }),
  placed('admin', 'Ledger', '', 'ledger-base', 'meshrelay', {
    vips: [...hosts, 'v.one', 'v.two', 'a.x.svc.cluster.local'].map((host, index) => ({
      host,
      address: `240.0.1.${index}`,
    })),
  }),
];

/** One workload for a service of each cluster, and one for another service. */
export const WORKLOADS: readonly Placed[] = [
  ...CLUSTERS.map((cluster) => workload(cluster, 'a', 'x')),
  workload('c1', 'b', 'y'),
];
