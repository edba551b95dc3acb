/** The programs of a cluster's control plane: scripts that start them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Addresses } from './network.ts';
import type { ClusterPrograms } from './programs.ts';

export interface ClusterParts {
  readonly cluster: string;
  /** The names of its nodes. All have the cluster's network and one address. */
  readonly nodes: readonly string[];
  readonly folder: string;
  readonly addresses: Addresses;
  readonly programs: ClusterPrograms;
}

/** Command lines, each after the name of its log. */
export type Programs = readonly (readonly string[])[];

/** Writes a script that init.sh runs. */
export function writePrograms(file: string, programs: Programs): void {
  writeFileSync(file, programs.map((words) => `keep ${words.map((word) => `'${word}'`).join(' ')}\n`).join(''));
}

/** What must run before the API server is ready. */
export function controlPlane({ folder, addresses, programs: { etcd, kubernetes } }: ClusterParts): Programs {
  const { node, services } = addresses;
  const pki = (name: string): string => join(folder, 'pki', name);
  const [client, peer] = ['http://127.0.0.1:2379', 'http://127.0.0.1:2380'];
  return [
    [
      ...['etcd', etcd, `--data-dir=${join(folder, 'etcd')}`, '--unsafe-no-fsync', '--log-level=warn'],
      ...[`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`, `--listen-peer-urls=${peer}`],
      ...[`--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`],
    ],
    [
      ...['kube-apiserver', kubernetes, 'kube-apiserver', `--etcd-servers=${client}`, `--advertise-address=${node}`],
      ...['--secure-port=6443', `--tls-cert-file=${pki('api.crt')}`, `--tls-private-key-file=${pki('api.key')}`],
      ...[`--client-ca-file=${pki('ca.crt')}`, `--token-auth-file=${pki('tokens.csv')}`, `--cert-dir=${pki('')}`],
      ...[`--kubelet-client-certificate=${pki('admin.crt')}`, `--kubelet-client-key=${pki('admin.key')}`],
      // A node's name has no DNS entry.
      ...[`--kubelet-certificate-authority=${pki('ca.crt')}`, '--kubelet-preferred-address-types=InternalIP'],
      ...[`--service-account-key-file=${pki('sa.key')}`, `--service-account-signing-key-file=${pki('sa.key')}`],
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      ...[`--service-cluster-ip-range=${services}`, '--authorization-mode=Node,RBAC', '--allow-privileged'],
      '--enable-admission-plugins=NodeRestriction',
    ],
  ];
}

/** What needs the API server. @param flags of the controller manager, for one kind of node */
export function controllers({ folder, programs: { kubernetes } }: ClusterParts, flags: readonly string[]): Programs {
  const pki = (name: string): string => join(folder, 'pki', name);
  return [
    [
      ...['kube-controller-manager', kubernetes, 'kube-controller-manager'],
      ...[`--kubeconfig=${pki('controller-manager.conf')}`, `--service-account-private-key-file=${pki('sa.key')}`],
      ...[`--root-ca-file=${pki('ca.crt')}`, `--cluster-signing-cert-file=${pki('ca.crt')}`],
      ...[`--cluster-signing-key-file=${pki('ca.key')}`, '--use-service-account-credentials', '--leader-elect=false'],
      // By its defaults, the ServiceAccounts of a new cluster take five seconds.
      ...['--kube-api-qps=500', '--kube-api-burst=500', `--cert-dir=${pki('')}`, '--bind-address=127.0.0.1'],
      ...[`--flex-volume-plugin-dir=${join(folder, 'kubelet/volume-plugins')}`, ...flags],
    ],
    [
      ...['kube-scheduler', kubernetes, 'kube-scheduler', `--kubeconfig=${pki('scheduler.conf')}`],
      ...['--leader-elect=false', '--bind-address=127.0.0.1'],
    ],
  ];
}
