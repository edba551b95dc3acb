/** The files of a node with a kubelet: settings of its programs, and the script that starts them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type ClusterParts, controllers, type Programs, writePrograms } from './control-plane.ts';
import type { DebianPrograms } from './debian-programs.ts';

export interface KubeletParts extends ClusterParts {
  /** The name of its control groups. */
  readonly group: string;
  readonly debian: DebianPrograms;
}

export const PAUSE_IMAGE = 'localhost/pause:1';

/** Paths in a cluster's folder. */
export function containerdSocket(folder: string): string {
  return join(folder, 'run/containerd.sock');
}

export function writeKubeletFiles(parts: KubeletParts): void {
  const { folder, addresses } = parts;
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('cni/10-pods.conflist', JSON.stringify(podNetwork(parts)));
  write('containerd.toml', containerd(parts));
  write('resolv.conf', `nameserver ${addresses.dns}\n`);
  write('kubelet.yaml', stringify(kubelet(parts)));
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

function containerd({ folder, debian }: KubeletParts): string {
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
bin_dir = "${debian.cni}"
conf_dir = "${join(folder, 'cni')}"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}

function kubelet({ folder, group, addresses }: KubeletParts): object {
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
  const { cluster, folder, addresses, programs } = parts;
  const podRange = ['--allocate-node-cidrs', `--cluster-cidr=${addresses.pods}`, '--node-cidr-mask-size=24'];
  return [
    ...controllers(parts, podRange),
    [
      ...['kubelet', programs.kubernetes, 'kubelet', `--config=${join(folder, 'kubelet.yaml')}`],
      ...[`--kubeconfig=${join(folder, 'pki/kubelet.conf')}`, `--root-dir=${join(folder, 'kubelet')}`],
      ...[`--hostname-override=${cluster}`, `--node-ip=${addresses.node}`],
    ],
    ['kube-proxy', programs.kubernetes, 'kube-proxy', `--config=${join(folder, 'proxy.yaml')}`],
  ];
}
