/** The network of pods in a cluster: each has an interface at a bridge in the cluster's network. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { eventually } from '@meshrelay/testing';
import { endWithUs } from '@meshrelay/testing/processes';
import { run, runIn } from '../lab/command.ts';
import type { Addresses } from '../lab/network.ts';

const BRIDGE = 'pods0';
/** The last byte of addresses: 1 is the bridge's. */
const FIRST = 2;
const LAST = 254;

export interface PodNetwork extends AsyncDisposable {
  readonly address: string;
  /** The process that has it. */
  readonly pid: number;
}

export class PodNetworks {
  readonly #cluster: number;
  readonly #prefix: string;
  readonly #used = new Set<number>();
  #next = FIRST;
  #links = 0;

  private constructor(cluster: number, prefix: string) {
    this.#cluster = cluster;
    this.#prefix = prefix;
  }

  /**
   * Creates the bridge. Addresses of Services and load balancers lead to the cluster's own network, where the service
   * proxy listens.
   * @param cluster the process that has the cluster's network
   */
  static async create(cluster: number, { node, pods, services, loadBalancers }: Addresses): Promise<PodNetworks> {
    const prefix = pods.slice(0, pods.lastIndexOf('.'));
    for (const command of [
      `link add name ${BRIDGE} type bridge`,
      `addr add ${prefix}.1/24 dev ${BRIDGE}`,
      `link set ${BRIDGE} up`,
      `route add local ${services} dev lo`,
      `route add local ${loadBalancers}.0/24 dev lo`,
    ])
      await runIn(cluster, 'ip', command.split(' '));
    // Other clusters see the addresses of pods: nothing translates them.
    await run('ip', `route replace ${pods} via ${node}`.split(' '));
    return new PodNetworks(cluster, prefix);
  }

  /** A network with an address of its own, until it is disposed. */
  async add(): Promise<PodNetwork> {
    const byte = this.#free();
    const address = `${this.#prefix}.${byte}`;
    const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
    const exited = once(holder, 'exit');
    endWithUs(holder);
    const end = async (): Promise<void> => {
      holder.kill('SIGKILL');
      await exited;
      this.#used.delete(byte);
    };
    try {
      await this.#connect(holder.pid as number, address);
    } catch (error) {
      await end();
      throw error;
    }
    return { address, pid: holder.pid as number, [Symbol.asyncDispose]: end };
  }

  async #connect(pid: number, address: string): Promise<void> {
    const own = readlinkSync('/proc/self/ns/net');
    await eventually(`the pod ${address} has its own network`, () => readlinkSync(`/proc/${pid}/ns/net`) !== own);
    this.#links += 1;
    // Its name is unique: for a moment the link is in the network that all clusters share.
    const link = `p${this.#prefix.split('.')[2]}-${this.#links}`;
    await run('ip', `link add name ${link} type veth peer name eth0 netns ${pid}`.split(' '));
    await run('ip', `link set ${link} netns ${this.#cluster}`.split(' '));
    await runIn(this.#cluster, 'ip', `link set ${link} master ${BRIDGE} up`.split(' '));
    for (const command of [
      'link set lo up',
      `addr add ${address}/24 dev eth0`,
      'link set eth0 up',
      `route add default via ${this.#prefix}.1`,
    ])
      await runIn(pid, 'ip', command.split(' '));
  }

  #free(): number {
    for (let tried = FIRST; tried <= LAST; tried += 1) {
      const byte = this.#next;
      this.#next = byte === LAST ? FIRST : byte + 1;
      if (!this.#used.has(byte)) {
        this.#used.add(byte);
        return byte;
      }
    }
    throw new Error(`all addresses ${this.#prefix}.${FIRST} to ${LAST} have a pod`);
  }
}
