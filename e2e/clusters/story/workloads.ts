/** What a workload cluster runs before Meshrelay is installed: a real istiod, and Bookinfo. */

import { WITHOUT_ISTIOS_OWN_FILTERS } from '../../traffic/lab/istiod.ts';
import type { RealCluster } from '../lab/real-cluster.ts';
import { bookinfo, deploymentsOf, type Place } from './bookinfo/objects.ts';
import type { ProxySources } from './bookinfo/proxy.ts';
import { type Fleet, rolledOut } from './fleet.ts';
import { ISTIO_NAMESPACE, ISTIOD_IMAGE, TRUST_DOMAIN, WORKLOAD_CLUSTERS } from './names.ts';
import type { StoryPlan } from './plan.ts';

const XDS_PORT = 15_010;

/** @param secrets where proxies get their certificates */
export async function installWorkloads(
  fleet: Fleet,
  cluster: RealCluster,
  { istioCrds, agentImage }: StoryPlan,
  secrets: ProxySources['secrets'],
): Promise<void> {
  const place = placeOf(cluster.name);
  await cluster.kubectl('label', 'nodes', '--all', `topology.kubernetes.io/region=${place.region}`);
  await fleet.apply(cluster, istioCrds);
  const names = istioCrds.map(({ metadata }) => `crd/${metadata.name}`);
  await cluster.kubectl('wait', ...names, '--for=condition=Established', '--timeout=60s');
  await fleet.apply(cluster, istiod(cluster.name));
  const { body } = await cluster.client.get(`/api/v1/namespaces/${ISTIO_NAMESPACE}/services/istiod`);
  await fleet.apply(
    cluster,
    bookinfo(place, agentImage, { istiod: { address: body.spec.clusterIP, port: XDS_PORT }, secrets }),
  );
  await workloadsReady(cluster);
}

/** Resolves when istiod and Bookinfo are ready, after a drain too. */
export async function workloadsReady(cluster: RealCluster): Promise<void> {
  const deployments = [[ISTIO_NAMESPACE, 'istiod'] as const, ...deploymentsOf(placeOf(cluster.name))];
  await Promise.all(deployments.map(([namespace, name]) => rolledOut(cluster, namespace, name)));
}

function placeOf(cluster: string): Place {
  return { cluster, region: `region-${cluster}`, isFirst: cluster === WORKLOAD_CLUSTERS[0] };
}

function istiod(cluster: string): readonly object[] {
  const labels = { app: 'istiod' };
  const metadata = { name: 'istiod', namespace: ISTIO_NAMESPACE, labels };
  const container = {
    name: 'discovery',
    image: ISTIOD_IMAGE,
    args: ['discovery', '--httpsAddr=', '--secureGRPCAddr=', '--ctrlz_port=0', '--log_output_level=all:warn'],
    env: Object.entries({
      POD_NAMESPACE: ISTIO_NAMESPACE,
      CLUSTER_ID: cluster,
      PILOT_CERT_PROVIDER: 'none',
      ENABLE_CA_SERVER: 'false',
      PILOT_ENABLE_GATEWAY_API: 'false',
      ...WITHOUT_ISTIOS_OWN_FILTERS,
    }).map(([name, value]) => ({ name, value })),
    ports: [{ containerPort: XDS_PORT }, { containerPort: 8080 }],
    readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 1, timeoutSeconds: 20 },
  };
  const template = { metadata: { labels }, spec: { serviceAccountName: 'istiod', containers: [container] } };
  const ports = [{ name: 'grpc-xds', port: XDS_PORT }];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ISTIO_NAMESPACE } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'istiod', namespace: ISTIO_NAMESPACE } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'istiod' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'istiod', namespace: ISTIO_NAMESPACE }],
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'istio', namespace: ISTIO_NAMESPACE },
      data: { mesh: JSON.stringify(MESH) },
    },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports } },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: labels }, template } },
  ];
}

/** Without metrics that only Istio's own Envoy supports. */
const MESH = {
  trustDomain: TRUST_DOMAIN,
  rootNamespace: ISTIO_NAMESPACE,
  enablePrometheusMerge: false,
  defaultProviders: {},
};
