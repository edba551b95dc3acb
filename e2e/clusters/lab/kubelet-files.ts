/** The files of nodes with kubelets: settings of its programs, and the script that starts them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { kubeletName } from './certificates.ts';
import { type ClusterParts, controllers, type Programs, writePrograms } from './control-plane.ts';
import type { DebianPrograms } from './debian-programs.ts';

export interface KubeletParts extends ClusterParts {
  /** The prefix of the names of its nodes' control groups. */
  readonly groups: string;
  readonly debian: DebianPrograms;
}

export const PAUSE_IMAGE = 'localhost/pause:1';

/** Paths in a cluster's folder. */
export function containerdSocket(folder: string, node: string): string {
  return join(folder, `run/containerd-${node}.sock`);
}

export function containerdConfig(folder: string, node: string): string {
  return join(folder, `containerd-${node}.toml`);
}

function kubeletConfig(folder: string, node: string): string {
  return join(folder, `kubelet-${node}.yaml`);
}

export function writeKubeletFiles(parts: KubeletParts): void {
  const { folder, nodes, addresses } = parts;
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('cni/10-pods.conflist', JSON.stringify(podNetwork(parts)));
  write('resolv.conf', `nameserver ${addresses.dns}\n`);
  for (const [index, node] of nodes.entries()) {
    writeFileSync(containerdConfig(folder, node), containerd(parts, node));
    writeFileSync(kubeletConfig(folder, node), stringify(kubelet(parts, node, index)));
  }
  write('proxy.yaml', stringify(proxy(parts)));
  writePrograms(join(folder, 'node.sh'), nodePrograms(parts));
}

function podNetwork({ folder, addresses: { pods } }: KubeletParts): object {
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

function containerd({ folder, debian }: KubeletParts, node: string): string {
  const unused = ['aufs', 'btrfs', 'devmapper', 'zfs'].map((name) => `"io.containerd.snapshotter.v1.${name}"`);
  return `version = 2
root = "${join(folder, 'containerd', node)}"
state = "${join(folder, 'run/containerd', node)}"
disabled_plugins = [${unused.join(', ')}]
[grpc]
address = "${containerdSocket(folder, node)}"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${PAUSE_IMAGE}"
restrict_oom_score_adj = true
disable_apparmor = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${debian.cni}"
conf_dir = "${join(folder, 'cni')}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}

function kubelet({ folder, groups, addresses }: KubeletParts, node: string, index: number): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(folder, 'pki/ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    // All kubelets of a cluster have one address.
    port: 10_250 + 10 * index,
    healthzPort: 10_248 + 10 * index,
    tlsCertFile: join(folder, 'pki', `${kubeletName(node)}.crt`),
    tlsPrivateKeyFile: join(folder, 'pki', `${kubeletName(node)}.key`),
    containerRuntimeEndpoint: `unix://${containerdSocket(folder, node)}`,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${groups}${node}`,
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [addresses.dns],
    clusterDomain: 'cluster.local',
    resolvConf: join(folder, 'resolv.conf'),
    podLogsDir: join(folder, 'pods', node),
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

function proxy({ cluster, folder, addresses }: KubeletParts): object {
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

function nodePrograms(parts: KubeletParts): Programs {
  const { folder, nodes, addresses, programs } = parts;
  // The pods of all nodes are at one bridge, so the ranges of nodes are not used.
  const podRange = ['--allocate-node-cidrs', `--cluster-cidr=${addresses.pods}`, '--node-cidr-mask-size=26'];
  return [
    ...controllers(parts, podRange),
    ...nodes.map((node) => [
      ...[kubeletName(node), programs.kubernetes, 'kubelet', `--config=${kubeletConfig(folder, node)}`],
      ...[`--kubeconfig=${join(folder, 'pki', `${kubeletName(node)}.conf`)}`],
      ...[`--root-dir=${join(folder, 'kubelet', node)}`, `--hostname-override=${node}`, `--node-ip=${addresses.node}`],
    ]),
    ['kube-proxy', programs.kubernetes, 'kube-proxy', `--config=${join(folder, 'proxy.yaml')}`],
  ];
}
