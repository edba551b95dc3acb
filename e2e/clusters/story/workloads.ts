/** A bookshop with a real istiod: what the policies of the story act on. */
import { ISTIOD_IMAGE } from './names.ts';

export const SHOP = 'bookshop';
export const ISTIO = 'istio-system';

/** What a workload cluster runs before Meshrelay is installed. @param image one with Node */
export function workloads(image: string): readonly object[] {
  return [...istiod(), ...bookshop(image)];
}

function istiod(): readonly object[] {
  const labels = { app: 'istiod' };
  const metadata = { name: 'istiod', namespace: ISTIO, labels };
  const container = {
    name: 'discovery',
    image: ISTIOD_IMAGE,
    args: ['discovery', '--httpsAddr=', '--secureGRPCAddr=', '--ctrlz_port=0', '--log_output_level=all:warn'],
    env: Object.entries({
      POD_NAMESPACE: ISTIO,
      PILOT_CERT_PROVIDER: 'none',
      ENABLE_CA_SERVER: 'false',
      PILOT_ENABLE_GATEWAY_API: 'false',
    }).map(([name, value]) => ({ name, value })),
    ports: [{ containerPort: 15010 }, { containerPort: 8080 }],
    readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 1 },
  };
  const template = { metadata: { labels }, spec: { serviceAccountName: 'istiod', containers: [container] } };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ISTIO } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'istiod', namespace: ISTIO } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'istiod' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'istiod', namespace: ISTIO }],
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'istio', namespace: ISTIO },
      data: { mesh: 'trustDomain: bookshop.example\nrootNamespace: istio-system\n' },
    },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: labels }, template } },
  ];
}

function bookshop(image: string): readonly object[] {
  const namespace = { name: SHOP, labels: { 'istio-injection': 'enabled' } };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: namespace },
    ...['storefront', 'reviews'].flatMap((name) => service(name, image)),
  ];
}

/** Meshrelay finds sidecars by this name. This one proxies nothing: the story ends at the objects of Istio. */
function sidecar(image: string): object {
  const idle = "process.once('SIGTERM', () => process.exit()); setInterval(() => {}, 1e9)";
  return { name: 'istio-proxy', image, command: ['node', '-e', idle] };
}

const SERVER = "require('node:http').createServer((q, r) => r.end(process.env.HOSTNAME)).listen(8080)";

function service(name: string, image: string): readonly object[] {
  const metadata = { name, namespace: SHOP };
  const labels = { app: name, version: 'v1' };
  const container = {
    name,
    image,
    command: ['node', '-e', SERVER],
    ports: [{ containerPort: 8080 }],
    readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
  };
  const spec = { serviceAccountName: name, terminationGracePeriodSeconds: 1, containers: [container, sidecar(image)] };
  const template = { metadata: { labels }, spec };
  const ports = [{ name: 'http', port: 8080, targetPort: 8080 }];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: name }, ports } },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: labels }, template } },
  ];
}
