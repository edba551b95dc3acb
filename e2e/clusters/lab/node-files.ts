/** The files of a cluster's programs: settings of its node, and scripts that start the programs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Addresses } from './network.ts';
import type { LabPrograms } from './programs.ts';

export interface NodeParts {
  readonly cluster: string;
  readonly folder: string;
  /** The name of its control groups. */
  readonly group: string;
  readonly addresses: Addresses;
  readonly programs: LabPrograms;
}

export const PAUSE_IMAGE = 'localhost/pause:1';

/** Paths in a cluster's folder. */
export function containerdSocket(folder: string): string {
  return join(folder, 'run/containerd.sock');
}

export function writeNodeFiles(parts: NodeParts): void {
  const { folder, addresses } = parts;
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('cni/10-pods.conflist', JSON.stringify(podNetwork(parts)));
  write('containerd.toml', containerd(parts));
  write('resolv.conf', `nameserver ${addresses.dns}\n`);
  write('kubelet.yaml', stringify(kubelet(parts)));
  write('proxy.yaml', stringify(proxy(parts)));
  write('control-plane.sh', script(controlPlane(parts)));
  write('node.sh', script(nodePrograms(parts)));
}

function podNetwork({ folder, addresses: { pods } }: NodeParts): object {
  const ipam = {
    type: 'host-local',
    dataDir: join(folder, 'run/ipam'),
    ranges: [[{ subnet: pods }]],
    routes: [{ dst: '0.0.0.0/0' }],
  };
  const bridge = { type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: true, hairpinMode: true, ipam };
  const plugins = [bridge, { type: 'portmap', capabilities: { portMappings: true } }];
  return { cniVersion: '0.4.0', name: 'pods', plugins };
}

function containerd({ folder, programs }: NodeParts): string {
  const unused = ['aufs', 'btrfs', 'devmapper', 'zfs'].map((name) => `"io.containerd.snapshotter.v1.${name}"`);
  return `version = 2
root = "${join(folder, 'containerd')}"
state = "${join(folder, 'run/containerd')}"
disabled_plugins = [${unused.join(', ')}]
[grpc]
address = "${containerdSocket(folder)}"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${PAUSE_IMAGE}"
restrict_oom_score_adj = true
disable_apparmor = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${programs.debian.cni}"
conf_dir = "${join(folder, 'cni')}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}

function kubelet({ folder, group, addresses }: NodeParts): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(folder, 'pki/ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: join(folder, 'pki/kubelet.crt'),
    tlsPrivateKeyFile: join(folder, 'pki/kubelet.key'),
    containerRuntimeEndpoint: `unix://${containerdSocket(folder)}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${group}`,
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [addresses.dns],
    clusterDomain: 'cluster.local',
    resolvConf: join(folder, 'resolv.conf'),
    podLogsDir: join(folder, 'pods'),
    volumePluginDir: join(folder, 'kubelet/volume-plugins'),
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    evictionHard: {
      'memory.available': '200Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
      'nodefs.inodesFree': '1%',
    },
    oomScoreAdj: 0,
    syncFrequency: '10s',
  };
}

function proxy({ cluster, folder, addresses }: NodeParts): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: join(folder, 'pki/proxy.conf') },
    mode: 'iptables',
    clusterCIDR: addresses.pods,
    hostnameOverride: cluster,
    oomScoreAdj: 0,
    // Zero leaves the settings that only the first network namespace of the machine has.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    iptables: { minSyncPeriod: '100ms', syncPeriod: '10s' },
  };
}

type Programs = readonly (readonly string[])[];

function script(programs: Programs): string {
  return programs.map((words) => `keep ${words.map((word) => `'${word}'`).join(' ')}\n`).join('');
}

function controlPlane({ folder, addresses, programs: { etcd, kubernetes } }: NodeParts): Programs {
  const { node, services } = addresses;
  const pki = (name: string): string => join(folder, 'pki', name);
  const [client, peer] = ['http://127.0.0.1:2379', 'http://127.0.0.1:2380'];
  return [
    [
      ...['etcd', etcd, `--data-dir=${join(folder, 'etcd')}`, '--unsafe-no-fsync', '--log-level=warn'],
      ...[`--listen-client-urls=${client}`, `--advertise-client-urls=${client}`, `--listen-peer-urls=${peer}`],
      ...[`--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`],
    ],
    ['containerd', 'containerd', '-c', join(folder, 'containerd.toml')],
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

function nodePrograms({ cluster, folder, addresses, programs: { kubernetes } }: NodeParts): Programs {
  const pki = (name: string): string => join(folder, 'pki', name);
  return [
    [
      ...['kube-controller-manager', kubernetes, 'kube-controller-manager'],
      ...[`--kubeconfig=${pki('controller-manager.conf')}`, `--service-account-private-key-file=${pki('sa.key')}`],
      ...[`--root-ca-file=${pki('ca.crt')}`, `--cluster-signing-cert-file=${pki('ca.crt')}`],
      ...[`--cluster-signing-key-file=${pki('ca.key')}`, '--allocate-node-cidrs', `--cluster-cidr=${addresses.pods}`],
      ...['--node-cidr-mask-size=24', '--use-service-account-credentials', '--leader-elect=false'],
      // By its defaults, the ServiceAccounts of a new cluster take five seconds.
      ...['--kube-api-qps=500', '--kube-api-burst=500', `--cert-dir=${pki('')}`, '--bind-address=127.0.0.1'],
      `--flex-volume-plugin-dir=${join(folder, 'kubelet/volume-plugins')}`,
    ],
    [
      ...['kube-scheduler', kubernetes, 'kube-scheduler', `--kubeconfig=${pki('scheduler.conf')}`],
      ...['--leader-elect=false', '--bind-address=127.0.0.1'],
    ],
    [
      ...['kubelet', kubernetes, 'kubelet', `--config=${join(folder, 'kubelet.yaml')}`],
      ...[`--kubeconfig=${pki('kubelet.conf')}`, `--root-dir=${join(folder, 'kubelet')}`],
      ...[`--hostname-override=${cluster}`, `--node-ip=${addresses.node}`],
    ],
    ['kube-proxy', kubernetes, 'kube-proxy', `--config=${join(folder, 'proxy.yaml')}`],
  ];
}
