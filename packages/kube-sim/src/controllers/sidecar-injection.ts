/** Istio's sidecar in new pods, as its admission webhook adds it. */
import type { KubeObject } from '../object.ts';
import { hasLabels } from './has-labels.ts';
import type { PodMutator } from './pod-template.ts';
import { initContainer, PROXY_NAME, type ProxyIdentity, proxyContainer, proxyVolumes } from './sidecar-containers.ts';

/** The Istio whose sidecars are injected. */
export interface IstioOptions {
  /** Version of the default revision, such as `1.28.0`: the tag of the proxy image. */
  readonly version: string;
  /** Versions of further revisions, by the value of `istio.io/rev`; others get `version`. */
  readonly revisions?: Readonly<Record<string, string>>;
  /** The cluster name of the proxy; `Kubernetes` by default. */
  readonly clusterName?: string;
  /** The network of the proxy; none by default. */
  readonly network?: string;
  /** `cluster.local` by default. */
  readonly trustDomain?: string;
}

const INJECT = 'sidecar.istio.io/inject';
const REVISION = 'istio.io/rev';
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage'];

/**
 * Adds the sidecar to a pod if its namespace is labelled `istio-injection: enabled` or `istio.io/rev`, or the pod
 * itself `sidecar.istio.io/inject: "true"`, and neither opts out. A pod with a sidecar stays unchanged, except for a
 * container `istio-proxy` with the image `auto` (a gateway), which gets the proxy's image.
 */
export function injectSidecar(istio: IstioOptions): PodMutator {
  return (pod, namespace) => {
    const revision = namespace === undefined ? undefined : revisionFor(pod, namespace);
    if (revision === undefined) return pod;
    const version = istio.revisions?.[revision] ?? istio.version;
    const containers: { name: string; image?: string }[] = pod['spec'].containers ?? [];
    const own = containers.find(({ name }) => name === PROXY_NAME);
    if (own !== undefined && own.image !== 'auto') return pod;
    const identity = identityOf(pod, { istio, version, revision });
    return own === undefined ? withSidecar(pod, identity) : withImage(pod, identity);
  };
}

/** The revision that injects into a pod, or undefined if none does. */
function revisionFor(pod: KubeObject, { metadata }: KubeObject): string | undefined {
  const labels = metadata.labels ?? {};
  const own = pod.metadata.labels ?? {};
  const requested = own[INJECT] ?? pod.metadata.annotations?.[INJECT];
  const refused =
    requested === 'false' || labels['istio-injection'] === 'disabled' || SYSTEM_NAMESPACES.includes(metadata.name);
  if (refused || pod['spec'].hostNetwork === true) return undefined;
  if (hasLabels({ 'istio-injection': 'enabled' }, labels)) return 'default';
  if (labels[REVISION] !== undefined) return labels[REVISION];
  return requested === 'true' ? (own[REVISION] ?? 'default') : undefined;
}

function identityOf(
  pod: KubeObject,
  { istio, version, revision }: { readonly istio: IstioOptions; readonly version: string; readonly revision: string },
): ProxyIdentity {
  const { labels = {}, name, generateName } = pod.metadata;
  const workload =
    generateName?.replace(/-$/, '').replace(new RegExp(`-${labels['pod-template-hash'] ?? ''}$`), '') ?? name;
  return {
    image: `docker.io/istio/proxyv2:${version}`,
    revision,
    workload,
    app: labels['service.istio.io/canonical-name'] ?? labels['app.kubernetes.io/name'] ?? labels['app'] ?? workload,
    appVersion:
      labels['service.istio.io/canonical-revision'] ??
      labels['app.kubernetes.io/version'] ??
      labels['version'] ??
      'latest',
    clusterName: istio.clusterName ?? 'Kubernetes',
    trustDomain: istio.trustDomain ?? 'cluster.local',
    ...(istio.network === undefined ? {} : { network: istio.network }),
  };
}

function withSidecar(pod: KubeObject, identity: ProxyIdentity): KubeObject {
  const { containers = [], initContainers = [], volumes = [] } = pod['spec'];
  const [init, proxy, added] = [initContainer(identity), proxyContainer(identity), proxyVolumes()];
  const status = {
    initContainers: [init.name],
    containers: [proxy.name],
    volumes: added.map(({ name }) => name),
    imagePullSecrets: null,
    revision: identity.revision,
  };
  const marked = withMarks(pod, identity, { 'sidecar.istio.io/status': JSON.stringify(status) });
  return {
    ...marked,
    spec: {
      ...pod['spec'],
      initContainers: [...initContainers, init],
      containers: [...containers, proxy],
      volumes: [...volumes, ...added],
    },
  };
}

function withImage(pod: KubeObject, identity: ProxyIdentity): KubeObject {
  const containers = pod['spec'].containers.map((container: { name: string }) =>
    container.name === PROXY_NAME ? { ...container, image: identity.image } : container,
  );
  return { ...withMarks(pod, identity, {}), spec: { ...pod['spec'], containers } };
}

function withMarks(pod: KubeObject, identity: ProxyIdentity, annotations: Record<string, string>): KubeObject {
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        'security.istio.io/tlsMode': 'istio',
        'service.istio.io/canonical-name': identity.app,
        'service.istio.io/canonical-revision': identity.appVersion,
        ...pod.metadata.labels,
      },
      annotations: { [REVISION]: identity.revision, ...annotations, ...pod.metadata.annotations },
    },
  };
}
