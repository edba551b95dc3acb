/** Lantern in a made-up cluster, as its installer and its injector leave it. */
import type { KubeObject } from '@meshrelay/plugin';

export function controlPlane(): KubeObject[] {
  const metadata = { name: 'lantern', namespace: 'lantern-system' };
  return [{ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {} } as KubeObject];
}

export function injected(pod: KubeObject): KubeObject {
  const { spec } = pod as unknown as { readonly spec: { readonly containers: readonly object[] } };
  return { ...pod, spec: { ...spec, containers: [...spec.containers, { name: 'wick' }] } } as unknown as KubeObject;
}
