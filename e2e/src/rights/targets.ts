/** Targets of the attacks, as an administrator creates them. */
import type { AppliedObject } from '@meshrelay/testing/accounts';
import { ADMIN_ACCOUNT, CSR, OTHERS, type Places } from './attacks.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** All exist before the first attack, created in this order. */
export function targets({ own, mesh, app }: Places): readonly AppliedObject[] {
  const namespaces = [own, mesh, app, 'kube-system'];
  const binding = {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: `${ADMIN_ACCOUNT}-${app}` },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: namespaces.map((namespace) => ({ kind: 'ServiceAccount', name: ADMIN_ACCOUNT, namespace })),
  };
  return [
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    binding,
    ...namespaces.flatMap(inNamespace),
    ...[mesh, 'default'].map((namespace) => secret(namespace, 'cacerts')),
    configMap('kube-system', 'coredns'),
    configMap('kube-system', 'extension-apiserver-authentication'),
    configMap(mesh, 'istio'),
    configMap('kube-system', 'istio'),
    { apiVersion: 'v1', kind: 'Node', metadata: { name: OTHERS } },
    {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: OTHERS },
      spec: { request: CSR, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
    },
    {
      apiVersion: 'networking.istio.io/v1',
      kind: 'DestinationRule',
      metadata: { name: OTHERS, namespace: app },
      spec: { host: 'bank.example.com' },
    },
    {
      apiVersion: 'security.istio.io/v1',
      kind: 'AuthorizationPolicy',
      metadata: { name: OTHERS, namespace: app },
      spec: {},
    },
    {
      apiVersion: 'networking.meshrelay.dev/v1alpha1',
      kind: 'AccessPolicy',
      metadata: { name: OTHERS, namespace: app },
      spec: {},
    },
  ];
}

function inNamespace(namespace: string): readonly AppliedObject[] {
  const labels = { app: OTHERS };
  const spec = { serviceAccountName: ADMIN_ACCOUNT, containers: [{ name: 'one', image: 'one:1' }] };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ADMIN_ACCOUNT, namespace } },
    secret(namespace, OTHERS),
    configMap(namespace, OTHERS),
    configMap(namespace, 'kube-root-ca.crt'),
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: OTHERS, namespace, labels }, spec },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: OTHERS, namespace },
      spec: { selector: labels, ports: [{ port: 80 }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: OTHERS, namespace },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    },
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: OTHERS, namespace },
      spec: { holderIdentity: 'another' },
    },
  ];
}

function secret(namespace: string, name: string): AppliedObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: { key: 'theirs' } };
}

function configMap(namespace: string, name: string): AppliedObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { key: 'theirs' } };
}
