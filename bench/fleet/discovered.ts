/** Objects that the agents of a fleet push: Mesh, Workload and Destination as discovery writes them. */
import type { Destination, KubeObject, Mesh, Workload } from '@meshrelay/api';
import { clusterOf, type FleetShape, isExported, namespaceOf, serviceName } from './shape.ts';

const API_VERSION = 'discovery.meshrelay.dev/v1alpha1';
const CONTROL_PLANE = { name: 'istiod', namespace: 'istio-system' };
/** Pods per Service. */
const ENDPOINTS = 4;

export function meshObject(cluster: string): Mesh {
  return {
    apiVersion: API_VERSION,
    kind: 'Mesh',
    metadata: CONTROL_PLANE,
    spec: {
      type: 'istio',
      cluster,
      installation: { namespace: CONTROL_PLANE.namespace, podLabels: { app: 'istiod' }, version: '1.30.0' },
      trustDomain: `${cluster}.example`,
      trustDomainAliases: [],
      controlPlaneServiceAccount: 'istiod',
      revision: 'default',
      smartDnsProxyingEnabled: true,
    },
  } as Mesh;
}

/** The Service through which other clusters connect. */
export function gatewayDestination(cluster: string, position: number): Destination {
  const name = 'istio-ingressgateway';
  const labels = { app: name, istio: 'ingressgateway' };
  return destination(cluster, name, CONTROL_PLANE.namespace, {
    labels,
    workloadSelectorLabels: labels,
    ports: [{ port: 15443, name: 'tls', protocol: 'TCP', targetPortNumber: 15443, nodePort: 30_443 }],
    subsets: {},
    endpointSubsets: [
      { endpoints: [{ ipAddress: ip(position), labels }], ports: [{ port: 15443, name: 'tls', protocol: 'TCP' }] },
    ],
    externalAddresses: [{ ip: `192.0.2.${position % 256}` }],
    serviceType: 'LOAD_BALANCER',
  });
}

/** `endpointOctets` distinguishes one set of endpoint addresses from the next. */
export function serviceDestination(
  shape: FleetShape,
  service: number,
  groupLabels: Readonly<Record<string, string>>,
  addressOffset = 0,
): Destination {
  const name = serviceName(service);
  const app = { app: name };
  const endpoints = Array.from({ length: ENDPOINTS }, (_, position) => ({
    ipAddress: ip(service * ENDPOINTS + position + addressOffset),
    labels: {
      ...app,
      version: position % 2 === 0 ? 'v1' : 'v2',
      tier: 'backend',
      'topology.example/rack': `rack-${position}`,
    },
    subLocality: { zone: `region-1-${'abc'[position % 3]}` },
  }));
  const ports = [
    { port: 8080, name: 'http', protocol: 'TCP', appProtocol: 'http' },
    { port: 9090, name: 'grpc', protocol: 'TCP', appProtocol: 'grpc' },
  ];
  return destination(clusterOf(shape, service), name, namespaceOf(service), {
    labels: {
      ...app,
      'app.kubernetes.io/name': name,
      'app.kubernetes.io/part-of': namespaceOf(service),
      'app.kubernetes.io/managed-by': 'Helm',
      ...(isExported(shape, service) ? { 'example.com/visibility': 'exported' } : {}),
      ...groupLabels,
    },
    workloadSelectorLabels: app,
    ports: ports.map((port) => ({ ...port, targetPortNumber: port.port })),
    subsets: {
      'topology.example/rack': { values: ['rack-0', 'rack-1', 'rack-2', 'rack-3'] },
      version: { values: ['v1', 'v2'] },
    },
    region: 'region-1',
    endpointSubsets: [{ endpoints, ports }],
    externalAddresses: [],
    serviceType: 'CLUSTER_IP',
  });
}

export function serviceWorkload(shape: FleetShape, service: number): Workload {
  const name = serviceName(service);
  const namespace = namespaceOf(service);
  return {
    apiVersion: API_VERSION,
    kind: 'Workload',
    metadata: { name: `deployment/${name}`, namespace },
    spec: {
      kubernetes: {
        controller: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          namespace,
          name,
          clusterName: clusterOf(shape, service),
        },
        podLabels: { app: name, tier: 'backend' },
        serviceAccountName: name,
      },
      mesh: CONTROL_PLANE,
    },
  } as Workload;
}

function destination(
  cluster: string,
  name: string,
  namespace: string,
  kubeService: Record<string, unknown>,
): Destination {
  return {
    apiVersion: API_VERSION,
    kind: 'Destination',
    metadata: { name, namespace },
    spec: { kubeService: { ref: { name, namespace, clusterName: cluster }, ...kubeService }, mesh: CONTROL_PLANE },
  } as unknown as KubeObject as Destination;
}

function ip(number: number): string {
  return `10.${(number >>> 16) & 0xff}.${(number >>> 8) & 0xff}.${number & 0xff}`;
}
