/** Open Service Mesh's sidecar in new pods, as its admission webhook adds it. */
import { createHash } from 'node:crypto';
import type { KubeObject } from '../object.ts';
import type { PodMutator } from './pod-template.ts';

/** The OSM whose sidecars are injected. */
export interface OsmOptions {
  /** Such as `1.2.4`: the tag of its init container's image. */
  readonly version: string;
  /** The mesh that monitors namespaces; `osm` by default. */
  readonly meshName?: string;
}

/** Label of namespaces that belong to a mesh. */
const MONITORED_BY = 'openservicemesh.io/monitored-by';
/** Annotation of namespaces, and of pods that override their namespace. */
const INJECTION = 'openservicemesh.io/sidecar-injection';
/** Label that distinguishes proxies. */
const PROXY_UUID = 'osm-proxy-uuid';
const REQUESTED: ReadonlySet<string> = new Set(['enabled', 'yes', 'true']);

/**
 * Adds the sidecar to pods of monitored namespaces, if the pod, or else its namespace, requests it. A pod with a
 * sidecar stays unchanged.
 */
export function injectOsmSidecar({ version, meshName = 'osm' }: OsmOptions): PodMutator {
  return (pod, namespace) => {
    if (namespace?.metadata.labels?.[MONITORED_BY] !== meshName) return pod;
    if (pod.metadata.labels?.[PROXY_UUID] !== undefined || pod['spec'].hostNetwork === true) return pod;
    const requested = pod.metadata.annotations?.[INJECTION] ?? namespace.metadata.annotations?.[INJECTION];
    return requested !== undefined && REQUESTED.has(requested) ? withSidecar(pod, version) : pod;
  };
}

function withSidecar(pod: KubeObject, version: string): KubeObject {
  const { name, namespace = '', labels } = pod.metadata;
  const { containers = [], initContainers = [] } = pod['spec'];
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...labels, [PROXY_UUID]: uuidOf(`${namespace}/${name}`) } },
    spec: {
      ...pod['spec'],
      initContainers: [...initContainers, { name: 'osm-init', image: `openservicemesh/init:v${version}` }],
      containers: [...containers, { name: 'envoy', image: 'envoyproxy/envoy-distroless:v1.22.2' }],
    },
  };
}

/** The same for the same pod in every run. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
