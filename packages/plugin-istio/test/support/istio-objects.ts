/** Istio's control plane as the objects that discovery reads. */
import type { KubeObject } from '@meshrelay/api';
import { stringify } from 'yaml';

export interface IstioSpec {
  /** Name of the Deployment. */
  readonly name?: string;
  readonly namespace?: string;
  readonly revision?: string;
  /** MeshConfig. */
  readonly config?: Readonly<Record<string, unknown>>;
}

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
      template: {
        metadata: { labels },
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
