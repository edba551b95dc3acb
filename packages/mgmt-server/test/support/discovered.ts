/** Objects that agents of small Istio clusters push: one control plane, one gateway, one service. */
import type { KubeObject } from '@meshrelay/api';

const API = 'discovery.meshrelay.dev/v1alpha1';

/**
 * A cluster's discovered objects, with names of their own. `number` makes its addresses distinct from other clusters'.
 */
export function istioCluster(cluster: string, number: number, service = 'reviews'): KubeObject[] {
  return [mesh(cluster), gateway(cluster, number), destination(cluster, service, number), workload(cluster, service)];
}

export function mesh(cluster: string): KubeObject {
  return {
    apiVersion: API,
    kind: 'Mesh',
    metadata: { name: 'istiod', namespace: 'istio-system' },
    spec: {
      type: 'istio',
      cluster,
      installation: { namespace: 'istio-system', podLabels: { app: 'istiod' }, version: '1.28.0' },
      trustDomain: 'cluster.local',
      controlPlaneServiceAccount: 'istiod',
    },
  };
}

export function destination(cluster: string, name: string, number: number, namespace = 'bookinfo'): KubeObject {
  return service(cluster, name, namespace, {
    workloadSelectorLabels: { app: name },
    serviceAccounts: [name],
    labels: { app: name },
    ports: [{ port: 9080, name: 'http', protocol: 'TCP', targetPortNumber: 9080 }],
    endpointSubsets: [
      {
        endpoints: [{ ipAddress: `10.${number}.0.7`, labels: { app: name, version: 'v1' } }],
        ports: [{ port: 9080, name: 'http', protocol: 'TCP' }],
      },
    ],
    serviceType: 'CLUSTER_IP',
  });
}

function gateway(cluster: string, number: number): KubeObject {
  const labels = { istio: 'ingressgateway' };
  return service(cluster, 'istio-ingressgateway', 'istio-system', {
    workloadSelectorLabels: labels,
    labels,
    ports: [{ port: 15443, name: 'tls', protocol: 'TCP', targetPortNumber: 15443 }],
    endpointSubsets: [
      {
        endpoints: [{ ipAddress: `10.${number}.0.9`, labels }],
        ports: [{ port: 15443, name: 'tls', protocol: 'TCP' }],
      },
    ],
    externalAddresses: [{ ip: `198.51.100.${number}` }],
    serviceType: 'LOAD_BALANCER',
  });
}

function service(cluster: string, name: string, namespace: string, kubeService: object): KubeObject {
  return {
    apiVersion: API,
    kind: 'Destination',
    metadata: { name, namespace },
    spec: {
      kubeService: { ref: { name, namespace, clusterName: cluster }, ...kubeService },
      mesh: { name: 'istiod', namespace: 'istio-system' },
    },
  };
}

export function workload(cluster: string, name: string): KubeObject {
  return {
    apiVersion: API,
    kind: 'Workload',
    metadata: { name: `${name}-deployment`, namespace: 'bookinfo' },
    spec: {
      kubernetes: {
        controller: { kind: 'Deployment', name, namespace: 'bookinfo', clusterName: cluster },
        serviceAccountName: name,
        podLabels: { app: name, version: 'v1' },
      },
      mesh: { name: 'istiod', namespace: 'istio-system' },
    },
  };
}

/** A virtual mesh over the control planes of clusters, with everything federated. */
export function virtualMesh(name: string, clusters: readonly string[]): KubeObject {
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'VirtualMesh',
    metadata: { name, namespace: 'meshrelay' },
    spec: {
      meshes: clusters.map((cluster) => ({ name: `istiod-istio-system-${cluster}`, namespace: 'meshrelay' })),
      mtlsConfig: { shared: {} },
      federation: { mode: 'ALL' },
    },
  };
}

/** A timeout for a service of a cluster. */
export function timeoutPolicy(name: string, cluster: string, service = 'reviews'): KubeObject {
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name, namespace: 'meshrelay' },
    spec: {
      destinationSelector: [
        { kubeServiceRefs: { services: [{ name: service, namespace: 'bookinfo', clusterName: cluster }] } },
      ],
      policy: { requestTimeout: '2s' },
    },
  };
}

export function kubernetesCluster(name: string, spec: object = {}): KubeObject {
  return {
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name, namespace: 'meshrelay' },
    spec,
  };
}
