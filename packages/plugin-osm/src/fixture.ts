/** OSM in a simulated cluster, as its installer and its injector create it: for tests of fleets. */
import type { DiscoveredMesh, KubeObject } from '@meshrelay/plugin';

/** Short form of a control plane. */
export interface OsmSpec {
  /** Name of the Deployment. */
  readonly name?: string;
  readonly namespace?: string;
  /** Default: false, so that OSM evaluates TrafficTargets. */
  readonly permissive?: boolean;
  /** Default: true. */
  readonly retryPolicy?: boolean;
  /** False: without MeshConfig. */
  readonly config?: boolean;
  /** The trust domain of its root certificate; omitted: OSM has no such object. */
  readonly trustDomain?: string;
}

/** The objects of a control plane that discovery reads. */
export function controlPlane(spec: OsmSpec): KubeObject[] {
  const { name = 'osm-controller', namespace = 'osm-system', permissive = false, retryPolicy = true } = spec;
  const labels = { app: 'osm-controller', 'app.kubernetes.io/version': 'v1.2.4' };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      template: {
        metadata: { labels },
        spec: { serviceAccountName: 'osm', containers: [{ name: 'osm-controller', image: 'mirror.example/a1b2:7' }] },
      },
    },
  };
  const config = {
    apiVersion: 'config.openservicemesh.io/v1alpha2',
    kind: 'MeshConfig',
    metadata: { name: 'osm-mesh-config', namespace },
    spec: {
      traffic: { enablePermissiveTrafficPolicyMode: permissive },
      featureFlags: { enableRetryPolicy: retryPolicy },
    },
  };
  const root = {
    apiVersion: 'config.openservicemesh.io/v1alpha2',
    kind: 'MeshRootCertificate',
    metadata: { name: 'osm-mesh-root-certificate', namespace },
    spec: { trustDomain: spec.trustDomain, intent: 'active' },
  };
  return [
    deployment,
    ...(spec.config === false ? [] : [config]),
    ...(spec.trustDomain === undefined ? [] : [root]),
  ] as unknown as KubeObject[];
}

/** The pod after injection: with a proxy, an init container and a label with a unique value. */
export function injected(pod: KubeObject): KubeObject {
  const { metadata, spec } = pod as unknown as {
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
    readonly spec: { readonly containers: readonly object[] };
  };
  return {
    ...pod,
    metadata: { ...metadata, labels: { ...metadata.labels, 'osm-proxy-uuid': `uuid-of-${metadata.name}` } },
    spec: {
      ...spec,
      initContainers: [{ name: 'osm-init', image: 'mirror.example/c3d4:7' }],
      containers: [...spec.containers, { name: 'envoy', image: 'mirror.example/e5f6:7' }],
    },
  } as unknown as KubeObject;
}

/** What discovery finds of a control plane with its defaults. */
export const mesh: Readonly<Partial<DiscoveredMesh>> = {
  name: 'osm-controller',
  namespace: 'osm-system',
  trustDomain: 'cluster.local',
  version: 'v1.2.4',
  serviceAccount: 'osm',
};
