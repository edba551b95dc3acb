/**
 * Parts that Istio's webhook adds to a pod: the proxy, the container that redirects traffic to it, and their volumes.
 */

/** Identity of a proxy. */
export interface ProxyIdentity {
  readonly image: string;
  readonly revision: string;
  /** The workload's name, without hashes. */
  readonly workload: string;
  /** Canonical service name and revision. */
  readonly app: string;
  readonly appVersion: string;
  readonly clusterName: string;
  readonly network?: string;
  readonly trustDomain: string;
}

/** The name of the proxy's container, by which sidecars are recognised. */
export const PROXY_NAME = 'istio-proxy';

/** A container or volume to add; the rest of it is plain JSON. */
export interface Named {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The container that redirects the pod's traffic through the proxy. */
export function initContainer({ image }: ProxyIdentity): Named {
  const redirect = '-p 15001 -z 15006 -u 1337 -m REDIRECT -i * -x  -b * -d 15090,15021,15020'.split(' ');
  return {
    name: 'istio-init',
    image,
    args: ['istio-iptables', ...redirect],
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_ADMIN', 'NET_RAW'], drop: ['ALL'] },
      privileged: false,
      runAsNonRoot: false,
      runAsUser: 0,
    },
  };
}

/** The proxy. */
export function proxyContainer(identity: ProxyIdentity): Named {
  return {
    name: PROXY_NAME,
    image: identity.image,
    args: ['proxy', 'sidecar', '--domain', '$(POD_NAMESPACE).svc.cluster.local', '--proxyLogLevel=warning'],
    env: environment(identity),
    ports: [{ name: 'http-envoy-prom', containerPort: 15090, protocol: 'TCP' }],
    readinessProbe: { httpGet: { path: '/healthz/ready', port: 15021 }, periodSeconds: 15, failureThreshold: 4 },
    resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 1337,
    },
    volumeMounts: [
      { name: 'workload-socket', mountPath: '/var/run/secrets/workload-spiffe-uds' },
      { name: 'istiod-ca-cert', mountPath: '/var/run/secrets/istio' },
      { name: 'istio-data', mountPath: '/var/lib/istio/data' },
      { name: 'istio-envoy', mountPath: '/etc/istio/proxy' },
      { name: 'istio-token', mountPath: '/var/run/secrets/tokens' },
      { name: 'istio-podinfo', mountPath: '/etc/istio/pod' },
    ],
  };
}

function environment({ revision, workload, clusterName, network, trustDomain }: ProxyIdentity): Named[] {
  const istiod = revision === 'default' ? 'istiod' : `istiod-${revision}`;
  const field = (name: string, fieldPath: string): Named => ({
    name,
    valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } },
  });
  return [
    { name: 'PILOT_CERT_PROVIDER', value: 'istiod' },
    { name: 'CA_ADDR', value: `${istiod}.istio-system.svc:15012` },
    field('POD_NAME', 'metadata.name'),
    field('POD_NAMESPACE', 'metadata.namespace'),
    field('INSTANCE_IP', 'status.podIP'),
    field('SERVICE_ACCOUNT', 'spec.serviceAccountName'),
    { name: 'ISTIO_META_CLUSTER_ID', value: clusterName },
    { name: 'ISTIO_META_NODE_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
    { name: 'ISTIO_META_WORKLOAD_NAME', value: workload },
    ...(network === undefined ? [] : [{ name: 'ISTIO_META_NETWORK', value: network }]),
    { name: 'ISTIO_META_MESH_ID', value: trustDomain },
    { name: 'TRUST_DOMAIN', value: trustDomain },
  ];
}

/** The volumes the proxy mounts. */
export function proxyVolumes(): Named[] {
  const token = { audience: 'istio-ca', expirationSeconds: 43_200, path: 'istio-token' };
  const podInfo = ['labels', 'annotations'].map((path) => ({
    path,
    fieldRef: { apiVersion: 'v1', fieldPath: `metadata.${path}` },
  }));
  return [
    { name: 'workload-socket', emptyDir: {} },
    { name: 'istio-envoy', emptyDir: { medium: 'Memory' } },
    { name: 'istio-data', emptyDir: {} },
    { name: 'istio-podinfo', downwardAPI: { items: podInfo } },
    { name: 'istio-token', projected: { sources: [{ serviceAccountToken: token }] } },
    { name: 'istiod-ca-cert', configMap: { name: 'istio-ca-root-cert' } },
  ];
}
