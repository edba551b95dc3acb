/** A cluster's certificate authority, and the kubeconfig of each program. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.ts';
import type { Addresses } from './network.ts';

const DAYS = '30';
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const API = 'kubernetes.default.svc';

export interface Certified {
  readonly cluster: string;
  readonly nodes: readonly string[];
  readonly folder: string;
  readonly addresses: Addresses;
}

/** Writes `ca.crt`, `sa.key`, a certificate for each server, and `NAME.conf` for each program. */
export async function writeCertificates({ cluster, nodes, folder, addresses }: Certified): Promise<void> {
  const ca = ['req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', `/CN=${cluster}`, '-days', DAYS];
  await run('openssl', ca, { cwd: folder });
  await run('openssl', ['genrsa', '-out', 'sa.key', '2048'], { cwd: folder });
  const node = addresses.node;
  const subjects: readonly (readonly [name: string, subject: string, names: string])[] = [
    ['api', '/CN=kube-apiserver', apiNames(addresses)],
    ['admin', '/O=system:masters/CN=admin', 'DNS:admin'],
    ...nodes.map((name) => [kubeletName(name), `/O=system:nodes/CN=system:node:${name}`, `IP:${node}`] as const),
    ['controller-manager', '/CN=system:kube-controller-manager', 'DNS:controller-manager'],
    ['scheduler', '/CN=system:kube-scheduler', 'DNS:scheduler'],
    ['proxy', '/CN=system:kube-proxy', 'DNS:proxy'],
  ];
  await Promise.all(
    subjects.map(async ([name, subject, names]) => {
      await certify(folder, name, subject, names);
      writeFileSync(join(folder, `${name}.conf`), kubeconfig(folder, name, node), { mode: 0o600 });
    }),
  );
}

/** The name of the certificate and the kubeconfig of a node's kubelet. */
export function kubeletName(node: string): string {
  return `kubelet-${node}`;
}

function apiNames({ node, apiService }: Addresses): string {
  const dns = ['localhost', 'kubernetes', 'kubernetes.default', API, `${API}.cluster.local`];
  return [...dns.map((name) => `DNS:${name}`), ...['127.0.0.1', node, apiService].map((ip) => `IP:${ip}`)].join(',');
}

async function certify(folder: string, name: string, subject: string, names: string): Promise<void> {
  const request = ['req', ...KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject];
  await run('openssl', request, { cwd: folder });
  const extensions = `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`;
  writeFileSync(join(folder, `${name}.ext`), extensions);
  const serial = String(Math.floor(Math.random() * 2 ** 48));
  const ca = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-set_serial', serial, '-days', DAYS];
  const files = ['-in', `${name}.csr`, '-out', `${name}.crt`, '-extfile', `${name}.ext`];
  await run('openssl', ['x509', '-req', ...ca, ...files], { cwd: folder });
}

function kubeconfig(folder: string, user: string, node: string): string {
  const file = (name: string): string => join(folder, name);
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'cluster',
    clusters: [
      { name: 'cluster', cluster: { server: `https://${node}:6443`, 'certificate-authority': file('ca.crt') } },
    ],
    users: [{ name: user, user: { 'client-certificate': file(`${user}.crt`), 'client-key': file(`${user}.key`) } }],
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user } }],
  });
}
