/** What this machine lacks for real clusters: each right is tried in namespaces that vanish. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { onPath } from '@meshrelay/testing/processes';
import { CONTROLLERS, hierarchies, isUnified } from './cgroups.ts';
import { isInitial } from './user-namespace.ts';

const PROGRAMS = [
  ...['unshare', 'setpriv', 'nsenter', 'mount', 'chroot', 'bash', 'ip', 'openssl', 'tar'],
  ...['apt-get', 'dpkg-deb', 'go'],
];
/** The cluster has a file system of its own at these places. */
const COVERED = ['/run/', '/var/run/', '/var/lib/', '/var/log/', '/opt/'];
const GIB = 2 ** 30;
const MEMORY_GIB = 3;
const DISK_GIB = 5;

const NAMESPACES = 'echo 1 > /proc/sys/net/ipv4/ip_forward';
const LINKS =
  'ip link add name br0 type bridge && ip link add name v0 type veth peer name v1 && ip link set v0 master br0';
/** What kube-proxy and the CNI plugins write. */
const NAT = [
  'iptables -t nat -N A',
  'iptables -t nat -A A -m comment --comment c -m addrtype --dst-type LOCAL -m statistic --mode random --probability 0.5 -j MARK --or-mark 0x4000',
  'iptables -t nat -A A -p tcp -m conntrack --ctstate NEW -m recent --rcheck --name r -j MASQUERADE',
  'iptables -t nat -A A -p tcp -j DNAT --to-destination 192.0.2.1:80',
].join(' && ');

/** What neither kubelets nor processes can do without: a line for each. @param folder the clusters' folder */
export function missingForAll(folder: string): readonly string[] {
  if (process.platform !== 'linux' || process.arch !== 'x64') return ['real clusters need Linux on x64'];
  const programs = PROGRAMS.filter((name) => onPath(name) === undefined);
  if (programs.length > 0) return programs.map((name) => `the program ${name} is missing; install it`);
  return failing([
    [freeMemory() >= MEMORY_GIB * GIB, `less than ${MEMORY_GIB} GiB of memory is free`],
    [freeDisk(folder) >= DISK_GIB * GIB, `less than ${DISK_GIB} GiB of disk is free at ${folder}`],
  ]);
}

/**
 * What kubelets need in addition, before anything is fetched or built.
 * @param folder the clusters' folder
 * @returns a line for each missing right
 */
export function missingForKubelets(folder: string): readonly string[] {
  if (process.getuid?.() !== 0) return ['root is needed'];
  if (!isInitial(readFileSync('/proc/self/uid_map', 'utf8')))
    return ['root of a user namespace is not enough: root of the machine is needed'];
  return failing([
    [
      !COVERED.some((place) => `${folder}/`.startsWith(place)),
      `the checkout is below one of ${COVERED.join(', ')}; move it`,
    ],
    [
      allows(NAMESPACES),
      'namespaces are refused: CAP_SYS_ADMIN and CAP_NET_ADMIN are needed (in a container: --privileged)',
    ],
    [allows(LINKS), 'bridges or veth pairs are refused: CAP_NET_ADMIN is needed'],
    [hasBridgeFilter(), 'br_netfilter is missing: run modprobe br_netfilter'],
    [
      allowsOverlay(folder),
      `overlay mounts are refused on the file system of ${folder} (in a container: put it on a volume)`,
    ],
    [hasGroups(), 'cgroups are read-only, or lack a controller (in a container: --privileged --cgroupns=host)'],
  ]);
}

/**
 * Options of unshare by which this process gets networks and mounts: as root, else in a user namespace. Undefined if the
 * machine allows neither.
 */
export function isolation(): readonly string[] | undefined {
  const spaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const script = `${LINKS} && mount -t tmpfs none /tmp && ${NAMESPACES}`;
  return [spaces, ['--user', '--map-root-user', ...spaces]].find(
    (options) => spawnSync('unshare', [...options, 'sh', '-ec', script]).status === 0,
  );
}

function failing(checks: readonly (readonly [holds: boolean, line: string])[]): readonly string[] {
  return checks.filter(([holds]) => !holds).map(([, line]) => line);
}

/** @returns a line if kube-proxy could not write its rules; needs the programs. @param env with iptables on PATH */
export function missingNat(env: Readonly<Record<string, string>>): readonly string[] {
  return allows(NAT, env) ? [] : ['NAT rules are refused: CAP_NET_ADMIN and the NAT modules of the kernel are needed'];
}

function allows(script: string, env: Readonly<Record<string, string>> = {}): boolean {
  const spaces = ['-n', '-m', '-p', '--fork', '--mount-proc'];
  return spawnSync('unshare', [...spaces, 'sh', '-ec', script], { env: { ...process.env, ...env } }).status === 0;
}

function hasBridgeFilter(): boolean {
  const setting = 'cat /proc/sys/net/bridge/bridge-nf-call-iptables';
  return allows(setting) || spawnSync('modprobe', ['br_netfilter']).status === 0;
}

function allowsOverlay(folder: string): boolean {
  const at = join(folder, `overlay-${process.pid}`);
  for (const part of ['lower', 'upper', 'work', 'merged']) mkdirSync(join(at, part), { recursive: true });
  const layers = `lowerdir=${at}/lower,upperdir=${at}/upper,workdir=${at}/work`;
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'overlay', 'o', '-o', layers, `${at}/merged`]);
  rmSync(at, { recursive: true, force: true });
  return status === 0;
}

function hasGroups(): boolean {
  if (isUnified()) {
    const present = readFileSync('/sys/fs/cgroup/cgroup.controllers', 'utf8').trim().split(' ');
    if (!CONTROLLERS.every((name) => present.includes(name))) return false;
  }
  return hierarchies().length > 0 && hierarchies().every(isWritable);
}

function isWritable(hierarchy: string): boolean {
  const group = join(hierarchy, `meshrelay-check-${process.pid}`);
  try {
    mkdirSync(group);
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}

function freeMemory(): number {
  const available = /MemAvailable:\s+(\d+) kB/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
  return available === undefined ? freemem() : Number(available) * 1024;
}

function freeDisk(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
