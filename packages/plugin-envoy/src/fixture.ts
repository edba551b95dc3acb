/** Plain Envoys in a simulated cluster, as their users label them: for tests of fleets. */
import type { DiscoveredMesh, KubeObject } from '@meshrelay/plugin';
import { GATEWAY, ROLE_LABEL, SIDECAR } from './kinds.ts';

/** Short form of a control plane: there is only the agent, so a labelled workload creates the mesh. */
export interface EnvoySpec {
  /** The workload's namespace. */
  readonly namespace?: string;
}

/** A gateway without a Service, and so without work: it makes discovery find the mesh of the cluster. */
export function controlPlane({ namespace = 'meshrelay' }: EnvoySpec): KubeObject[] {
  const labels = { app: 'first', [ROLE_LABEL]: GATEWAY };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'first', namespace },
    spec: {
      selector: { matchLabels: { app: 'first' } },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: 'first', containers: [{ name: 'app', image: 'registry.example/app:1' }] },
      },
    },
  };
  return [deployment] as unknown as KubeObject[];
}

/** A pod with an Envoy next to its application; pods of a gateway's Service have the label themselves. */
export function injected(pod: KubeObject): KubeObject {
  const { metadata, spec } = pod as unknown as {
    readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
    readonly spec: { readonly containers: readonly object[] };
  };
  const role = metadata.labels?.[ROLE_LABEL] === GATEWAY ? GATEWAY : SIDECAR;
  const proxy = { name: 'envoy', image: 'registry.example/envoy:v1.40.0' };
  return {
    ...pod,
    metadata: { ...metadata, labels: { ...metadata.labels, [ROLE_LABEL]: role } },
    spec: { ...spec, containers: [...spec.containers, proxy] },
  } as unknown as KubeObject;
}

/** What discovery finds of a control plane with its defaults. */
export const mesh: Readonly<Partial<DiscoveredMesh>> = {
  name: 'meshrelay-agent',
  namespace: 'meshrelay',
  trustDomain: 'cluster.local',
  capturesDns: true,
};
