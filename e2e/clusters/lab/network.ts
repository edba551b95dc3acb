/** The network between the clusters: that of this process, with a bridge that every cluster is connected to. */
import { run, runIn } from './command.ts';

/** Addresses of a cluster, by its number from 1. */
export interface Addresses {
  /** Of its node, and of its API server. */
  readonly node: string;
  readonly pods: string;
  readonly services: string;
  readonly apiService: string;
  readonly dns: string;
  /** The first three bytes of the addresses of its load balancers. */
  readonly loadBalancers: string;
}

/** The address of this process at the bridge. */
export const GATEWAY = '10.200.0.254';

export function addressesOf(number: number): Addresses {
  const services = `10.${96 + number}.0`;
  return {
    node: `10.200.0.${number}`,
    pods: `10.244.${number}.0/24`,
    services: `${services}.0/16`,
    apiService: `${services}.1`,
    dns: `${services}.10`,
    loadBalancers: `10.200.${number}`,
  };
}

/** Creates the bridge; this process must be in a network namespace of its own. */
export async function createBridge(): Promise<void> {
  for (const command of [
    'link set lo up',
    'link add name br0 type bridge',
    `addr add ${GATEWAY}/24 dev br0`,
    'link set br0 up',
  ])
    await run('ip', command.split(' '));
  await run('sh', ['-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward']);
}

/** Connects the network of a process to the bridge. */
export async function connectCluster(pid: number, number: number): Promise<void> {
  const { node, loadBalancers } = addressesOf(number);
  const link = `n${number}`;
  await run('ip', `link add name ${link} type veth peer name eth0 netns ${pid}`.split(' '));
  await run('ip', `link set ${link} master br0 up`.split(' '));
  await run('ip', `route replace ${loadBalancers}.0/24 via ${node}`.split(' '));
  for (const command of [
    'link set lo up',
    `addr add ${node}/24 dev eth0`,
    'link set eth0 up',
    `route add default via ${GATEWAY}`,
  ])
    await runIn(pid, 'ip', command.split(' '));
}
