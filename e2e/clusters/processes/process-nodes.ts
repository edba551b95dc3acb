/**
 * Nodes without a kubelet, for machines that lack the rights for one: the containers of their pods are processes in
 * networks and mounts of their own, and a proxy in this language forwards connections to Services. They have no limits
 * of memory and CPU, no NetworkPolicies, and offer no logs, exec or port-forward.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Client } from '@meshrelay/testing/api-server';
import type { ClusterNodes } from '../lab/cluster-nodes.ts';
import { type ClusterParts, controllers, writePrograms } from '../lab/control-plane.ts';
import { hasUser } from '../lab/user-namespace.ts';
import { nameOf, type Pod } from './pod.ts';
import { PodNetworks } from './pod-network.ts';
import { type PodContext, RunningPod } from './running-pod.ts';
import { type UnpackedImage, unpackedImages } from './unpacked-image.ts';

const SERVICE_PROXY = fileURLToPath(new URL('service-proxy.ts', import.meta.url));
/** They act on nodes that do not report. */
const UNUSED_CONTROLLERS = ['node-lifecycle-controller', 'node-ipam-controller'];
/** Milliseconds between two reads of the pods. */
const INTERVAL_MS = 300;
/** The user of Meshrelay's images: a user namespace may not have it. */
const USER_OF_IMAGES = 65_532;

export function processNodes(parts: ClusterParts): ClusterNodes {
  const { nodes, folder, addresses } = parts;
  const images = new Map<string, UnpackedImage>();
  const image = (name: string): UnpackedImage => {
    const found = images.get(name) ?? images.get(name.replace(/^docker\.io\//, ''));
    if (found === undefined)
      throw new Error(`no image ${name} was imported; there are ${[...images.keys()].join(', ')}`);
    return found;
  };
  return {
    env: {},
    setup: '',
    early: [],
    writeFiles: () => {
      const unused = UNUSED_CONTROLLERS.map((name) => `-${name}`);
      writePrograms(join(folder, 'node.sh'), [
        ...controllers(parts, [`--controllers=${['*', ...unused].join(',')}`]),
        ['service-proxy', process.execPath, SERVICE_PROXY, join(folder, 'kubeconfig'), addresses.node],
      ]);
    },
    start: async (client, pid) => {
      const networks = await PodNetworks.create(pid, addresses);
      const changesUser = hasUser(readFileSync('/proc/self/uid_map', 'utf8'), USER_OF_IMAGES);
      await using stack = new AsyncDisposableStack();
      for (const node of nodes) {
        await createNode(client, node, addresses.node);
        stack.use(new Pods(node, { client, addresses, networks, folder, changesUser, image }));
      }
      return stack.move();
    },
    importImages: async (archives) => {
      for (const archive of archives)
        for (const [name, each] of await unpackedImages(archive, join(folder, '../unpacked'))) images.set(name, each);
    },
  };
}

/** Runs the pods that the scheduler has assigned to the node, until it is disposed. */
class Pods implements AsyncDisposable {
  readonly #node: string;
  readonly #context: PodContext;
  readonly #running = new Map<string, Promise<RunningPod | undefined>>();
  readonly #deleting = new Set<string>();
  #stopped = false;
  readonly #ended: Promise<void>;

  constructor(node: string, context: PodContext) {
    this.#node = node;
    this.#context = context;
    this.#ended = this.#loop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#ended;
    await Promise.all([...this.#running.values()].map(async (pod) => (await pod)?.stop(0)));
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      // The API server may restart at any time.
      await this.#reconcile().catch((error: Error) => this.#log(error.message));
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
    }
  }

  async #reconcile(): Promise<void> {
    // From the API server's cache.
    const selector = encodeURIComponent(`spec.nodeName=${this.#node}`);
    const { status, body } = await this.#context.client.get(`/api/v1/pods?resourceVersion=0&fieldSelector=${selector}`);
    if (status !== 200) throw new Error(`the list of pods was answered with ${status}`);
    const pods = body.items as readonly Pod[];
    const present = new Set(pods.map(({ metadata: { uid } }) => uid));
    for (const [uid, running] of this.#running) {
      if (present.has(uid)) continue;
      this.#running.delete(uid);
      // As kubelets do after a forced deletion, too.
      void running.then((pod) => pod?.stop());
    }
    for (const pod of pods) this.#reconcilePod(pod);
  }

  #reconcilePod(pod: Pod): void {
    const { uid, deletionTimestamp } = pod.metadata;
    const running = this.#running.get(uid);
    if (deletionTimestamp !== undefined) {
      if (this.#deleting.has(uid)) return;
      this.#deleting.add(uid);
      void this.#delete(pod, running).catch((error: Error) => {
        this.#deleting.delete(uid);
        this.#log(error.message);
      });
      return;
    }
    if (running === undefined) {
      const started = RunningPod.start(pod, this.#context).catch((error: Error) => {
        this.#log(error.message);
        // Its volumes or images may exist later.
        this.#running.delete(uid);
        return undefined;
      });
      this.#running.set(uid, started);
      return;
    }
    void running.then((started) => started?.report(pod)).catch((error: Error) => this.#log(error.message));
  }

  async #delete(pod: Pod, running: Promise<RunningPod | undefined> | undefined): Promise<void> {
    const { name, namespace, uid, deletionGracePeriodSeconds } = pod.metadata;
    await (await running)?.stop(deletionGracePeriodSeconds);
    this.#running.delete(uid);
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    const { status } = await this.#context.client.delete(path, { gracePeriodSeconds: 0, preconditions: { uid } });
    if (status !== 200 && status !== 404 && status !== 409)
      throw new Error(`pod ${nameOf(pod)}: DELETE ${path} answered ${status}`);
  }

  #log(line: string): void {
    appendFileSync(join(this.#context.folder, 'log/pods.log'), `${new Date().toISOString()} ${line}\n`);
  }
}

/** A node that is Ready and has room for all pods. */
async function createNode(client: Client, name: string, address: string): Promise<void> {
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  const path = `/api/v1/nodes/${name}`;
  await succeeded(client.post('/api/v1/nodes', { metadata: { name, labels } }));
  // The API server adds a taint to new nodes, which the controller of their lifecycle would remove.
  await succeeded(client.patch(path, 'merge', { spec: { taints: null } }));
  const capacity = { cpu: '16', memory: '64Gi', 'ephemeral-storage': '100Gi', pods: '200' };
  const now = new Date().toISOString();
  const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now };
  const conditions = [{ ...ready, reason: 'ProcessesReady', message: 'pods run as processes' }];
  const addresses = [{ type: 'InternalIP', address }];
  const status = { capacity, allocatable: capacity, conditions, addresses };
  await succeeded(client.patch(`${path}/status`, 'merge', { status }));
}

async function succeeded(answer: ReturnType<Client['get']>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`the node cannot be created: ${status} ${text}`);
}
