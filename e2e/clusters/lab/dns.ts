/** CoreDNS in a cluster. */

export const DNS_IMAGE = 'localhost/coredns:1';

const COREFILE = `.:53 {
    errors
    health
    ready
    kubernetes cluster.local in-addr.arpa {
        pods insecure
    }
    cache 5
}
`;
const NAME = 'coredns';
const NAMESPACE = 'kube-system';
const RBAC = 'rbac.authorization.k8s.io';
const labels = { 'k8s-app': 'kube-dns' };
const metadata = { name: NAME, namespace: NAMESPACE };

/** The objects in the order of their creation, each with the path that creates it. */
export function dnsObjects(address: string): readonly (readonly [path: string, object: object])[] {
  const core = `/api/v1/namespaces/${NAMESPACE}`;
  const rules = [
    { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
  ];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'system:coredns' };
  const subjects = [{ kind: 'ServiceAccount', name: NAME, namespace: NAMESPACE }];
  const cluster = { name: 'system:coredns' };
  const ports = [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
  ];
  return [
    [`${core}/serviceaccounts`, { metadata }],
    [`/apis/${RBAC}/v1/clusterroles`, { metadata: cluster, rules }],
    [`/apis/${RBAC}/v1/clusterrolebindings`, { metadata: cluster, roleRef, subjects }],
    [`${core}/configmaps`, { metadata, data: { Corefile: COREFILE } }],
    [`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, deployment()],
    [
      `${core}/services`,
      { metadata: { name: 'kube-dns', namespace: NAMESPACE }, spec: { clusterIP: address, selector: labels, ports } },
    ],
  ];
}

function deployment(): object {
  const container = {
    name: NAME,
    image: DNS_IMAGE,
    args: ['-conf', '/etc/coredns/Corefile'],
    readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
  };
  const volumes = [{ name: 'config', configMap: { name: NAME } }];
  const spec = { serviceAccountName: NAME, dnsPolicy: 'Default', containers: [container], volumes };
  return { metadata, spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } } };
}
