/** Users' objects in the clusters and the management cluster of a simulated fleet. */
import type { KubeObject } from '@meshrelay/api';
import { CONTROL_NAMESPACE, CONTROL_PLANE, MEMBER_LABEL } from './minimal-mesh.ts';

export const NAMESPACE = 'meshrelay';
export const SHOP = 'shop';

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as KubeObject;
}

function deployment(namespaceName: string, name: string, member: boolean): KubeObject {
  const labels = { app: name, ...(member ? { [MEMBER_LABEL]: 'true' } : {}) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: namespaceName },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels }, spec: { serviceAccountName: name, containers: [{ name }] } },
    },
  };
}

/** A service on this port, and the workload behind it. */
export function service(name: string, port: number): KubeObject[] {
  return [
    deployment(SHOP, name, true),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: SHOP, labels: { app: name } },
      spec: { selector: { app: name }, ports: [{ name: 'http', port, targetPort: port, protocol: 'TCP' }] },
    },
  ];
}

/** The given number of services, deployed together. */
export function numbered(count: number): KubeObject[] {
  return Array.from({ length: count }, (_, at) => service(`many-${at}`, 80)).flat();
}

/** A cluster with the mesh and its gateway, without services. */
export function emptyCluster(number: number): KubeObject[] {
  const labels = { role: 'gateway' };
  return [
    ...[NAMESPACE, SHOP, CONTROL_NAMESPACE].map(namespace),
    deployment(CONTROL_NAMESPACE, CONTROL_PLANE, false),
    deployment(CONTROL_NAMESPACE, 'gateway', true),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'gateway', namespace: CONTROL_NAMESPACE, labels },
      spec: {
        type: 'LoadBalancer',
        selector: { app: 'gateway' },
        ports: [{ name: 'tls', port: 15_443, targetPort: 15_443, protocol: 'TCP' }],
      },
      status: { loadBalancer: { ingress: [{ ip: `198.51.100.${number}` }] } },
    } as KubeObject,
  ];
}

export function kubernetesCluster(name: string, spec: object = {}): KubeObject {
  return {
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name, namespace: NAMESPACE },
    spec,
  };
}

/** A VirtualMesh of the meshes of these clusters. */
export function virtualMesh(name: string, clusters: readonly string[]): KubeObject {
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'VirtualMesh',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      meshes: clusters.map((cluster) => ({
        name: `${CONTROL_PLANE}-${CONTROL_NAMESPACE}-${cluster}`,
        namespace: NAMESPACE,
      })),
      mtlsConfig: { shared: {} },
      federation: { mode: 'ALL' },
    },
  };
}

/** A timeout for all services of a name, in any cluster. */
export function timeoutPolicy(name: string, serviceName: string, seconds: number): KubeObject {
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      destinationSelector: [{ kubeServiceMatcher: { labels: { app: serviceName }, namespaces: [SHOP] } }],
      policy: { requestTimeout: `${seconds}s` },
    },
  };
}
