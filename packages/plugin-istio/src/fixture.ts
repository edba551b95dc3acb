/** Istio in a simulated cluster, as its installer and its injector create it: for tests of fleets. */
import type { DiscoveredMesh, KubeObject } from '@meshrelay/plugin';
import { stringify } from 'yaml';

/** Short form of a control plane. */
export interface IstioSpec {
  /** Name of the Deployment. */
  readonly name?: string;
  readonly namespace?: string;
  readonly revision?: string;
  /** MeshConfig. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** The objects of a control plane that discovery reads. */
export function controlPlane(spec: IstioSpec): KubeObject[] {
  const { revision, namespace = 'istio-system', config = {} } = spec;
  const suffix = revision === undefined ? '' : `-${revision}`;
  const { name = `istiod${suffix}` } = spec;
  const labels = { app: 'istiod', ...(revision === undefined ? {} : { 'istio.io/rev': revision }) };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, 'sidecar.istio.io/inject': 'false' } },
        spec: {
          serviceAccountName: 'istiod',
          containers: [{ name: 'discovery', image: 'registry.example/istio/pilot:1.30.0' }],
        },
      },
    },
  };
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `istio${suffix}`, namespace },
    data: { mesh: stringify(config) },
  };
  return [deployment, configMap] as unknown as KubeObject[];
}

/** The pod after injection. */
export function injected(pod: KubeObject): KubeObject {
  const { spec } = pod as unknown as { readonly spec: { readonly containers: readonly object[] } };
  const proxy = { name: 'istio-proxy', image: 'registry.example/istio/proxyv2:1.30.0' };
  return { ...pod, spec: { ...spec, containers: [...spec.containers, proxy] } } as unknown as KubeObject;
}

/** What discovery finds of a control plane with its defaults. */
export const mesh: Readonly<Partial<DiscoveredMesh>> = {
  name: 'istiod',
  namespace: 'istio-system',
  trustDomain: 'cluster.local',
  version: '1.30.0',
  serviceAccount: 'istiod',
  revision: 'default',
  capturesDns: false,
};
