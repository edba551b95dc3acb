/** my-mesh in a made-up cluster, as its installer and its injector leave it. */
import type { KubeObject } from '@meshrelay/plugin';

/** What the installer creates. */
export function controlPlane(): KubeObject[] {
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'my-mesh-controller',
        namespace: 'my-mesh-system',
        labels: { app: 'my-mesh-controller', version: '1.0.0' },
      },
      spec: {},
    } as KubeObject,
  ];
}

/** A pod as the injector changes it. */
export function injected(pod: KubeObject): KubeObject {
  const { spec } = pod as unknown as { readonly spec: { readonly containers: readonly object[] } };
  const containers = [...spec.containers, { name: 'my-mesh-proxy' }];
  return { ...pod, spec: { ...spec, containers } } as unknown as KubeObject;
}
