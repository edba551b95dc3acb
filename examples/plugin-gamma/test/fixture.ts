/** Linkerd in a made-up cluster, as its chart and its injector leave it. */
import type { DiscoveredMesh, KubeObject } from '@meshrelay/plugin';

const PROXY = {
  name: 'linkerd-proxy',
  image: 'registry.example/linkerd/proxy:2',
  env: [{ name: '_l5d_trustdomain', value: 'linkerd.example' }],
};

export function controlPlane(): KubeObject[] {
  const labels = { 'linkerd.io/control-plane-component': 'destination', 'app.kubernetes.io/version': 'edge-26.10.1' };
  const metadata = { name: 'linkerd-destination', namespace: 'linkerd', labels };
  const containers = [PROXY, { name: 'destination', image: 'registry.example/linkerd/controller:2' }];
  const spec = { template: { metadata: { labels }, spec: { containers } } };
  return [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as unknown as KubeObject];
}

export function injected(pod: KubeObject): KubeObject {
  const { spec } = pod as unknown as { readonly spec: { readonly containers: readonly object[] } };
  return { ...pod, spec: { ...spec, containers: [...spec.containers, PROXY] } } as unknown as KubeObject;
}

/** What discovery finds. */
export const mesh: Readonly<Partial<DiscoveredMesh>> = {
  name: 'linkerd-destination',
  namespace: 'linkerd',
  trustDomain: 'linkerd.example',
  version: 'edge-26.10.1',
};
