/** A pod of the node: its network, its volumes, and a process for each container. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@meshrelay/testing/api-server';
import type { Addresses } from '../lab/network.ts';
import { containerScript } from './container-script.ts';
import { environmentOf, expanded } from './environment.ts';
import { type Container, nameOf, type Pod } from './pod.ts';
import type { PodNetwork, PodNetworks } from './pod-network.ts';
import { podStatus } from './pod-status.ts';
import { type ContainerProcess, RunningContainer, runInitContainer } from './running-container.ts';
import type { UnpackedImage } from './unpacked-image.ts';
import { Volumes } from './volumes.ts';

export interface PodContext {
  readonly client: Client;
  readonly addresses: Addresses;
  readonly networks: PodNetworks;
  /** The folder of the cluster. */
  readonly folder: string;
  readonly changesUser: boolean;
  /** @throws Error if no such image was imported */
  image(name: string): UnpackedImage;
}

const GRACE_SECONDS = 30;

export class RunningPod {
  readonly #context: PodContext;
  readonly #folder: string;
  readonly #network: PodNetwork;
  #pod: Pod;
  #containers: readonly RunningContainer[] = [];
  #reported = '';

  private constructor(pod: Pod, context: PodContext, network: PodNetwork, folder: string) {
    this.#pod = pod;
    this.#context = context;
    this.#network = network;
    this.#folder = folder;
  }

  /** @throws Error that names the pod, if a volume or image is missing, or the pod needs what processes do not have */
  static async start(pod: Pod, context: PodContext): Promise<RunningPod> {
    const { initContainers = [], containers } = pod.spec;
    for (const { image } of [...initContainers, ...containers]) context.image(image);
    const folder = join(context.folder, 'run/pods', pod.metadata.uid);
    mkdirSync(folder, { recursive: true });
    const network = await context.networks.add();
    try {
      const running = new RunningPod(pod, context, network, folder);
      await running.#start();
      return running;
    } catch (error) {
      await network[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Writes its status if it has changed. @param pod as the API server has it now */
  async report(pod: Pod): Promise<void> {
    this.#pod = pod;
    const states = this.#containers.map(({ state }) => state);
    const text = JSON.stringify(states);
    if (text === this.#reported) return;
    const { name, namespace } = pod.metadata;
    const addresses = { pod: this.#network.address, node: this.#context.addresses.node };
    const status = podStatus(pod, addresses, states, new Date().toISOString());
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
    const answer = await this.#context.client.patch(path, 'merge', { metadata: { uid: pod.metadata.uid }, status });
    if (answer.status === 200) this.#reported = text;
    else if (answer.status !== 404 && answer.status !== 409)
      throw new Error(`pod ${nameOf(pod)}: PATCH ${path} answered ${answer.status}: ${answer.text}`);
  }

  /** Ends its processes as a kubelet does: SIGTERM, then SIGKILL. @param graceSeconds between both */
  async stop(
    graceSeconds: number = this.#pod.metadata.deletionGracePeriodSeconds ??
      this.#pod.spec.terminationGracePeriodSeconds ??
      GRACE_SECONDS,
  ): Promise<void> {
    await Promise.all(this.#containers.map((container) => container.stop(graceSeconds * 1000)));
    await this.#network[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    const [pod, { client }] = [this.#pod, this.#context];
    const volumes = new Volumes(client, pod, this.#network.address);
    await volumes.write(join(this.#folder, 'volumes'));
    this.#writeNames();
    for (const container of pod.spec.initContainers ?? [])
      await runInitContainer(await this.#processOf(container, volumes));
    const processes = [];
    for (const container of pod.spec.containers) processes.push(await this.#processOf(container, volumes));
    this.#containers = processes.map((parts) => new RunningContainer(parts, () => this.#changed()));
  }

  async #processOf(container: Container, volumes: Volumes): Promise<ContainerProcess> {
    const [pod, { address, pid: network }] = [this.#pod, this.#network];
    const image = this.#context.image(container.image);
    const environment = await environmentOf(container, {
      pod,
      address,
      image: image.environment,
      apiService: this.#context.addresses.apiService,
      read: (kind, name) => volumes.read(kind, name),
    });
    const text = containerScript({
      ...{ pod, container, image, changesUser: this.#context.changesUser, folder: this.#folder },
      volumes: join(this.#folder, 'volumes'),
      command: commandOf(container, image).map((word) => expanded(word, environment)),
    });
    const logs = join(this.#context.folder, 'pods', `${pod.metadata.namespace}_${pod.metadata.name}`);
    mkdirSync(logs, { recursive: true });
    return {
      ...{ container, address, text, environment, network },
      script: join(this.#folder, `${container.name}.sh`),
      log: join(logs, `${container.name}.log`),
    };
  }

  /** `/etc/hosts` and `/etc/resolv.conf`. */
  #writeNames(): void {
    const { metadata, spec } = this.#pod;
    const hosts = `127.0.0.1 localhost\n${this.#network.address} ${metadata.name}\n`;
    const domains = [`${metadata.namespace}.svc.cluster.local`, 'svc.cluster.local', 'cluster.local'];
    const search = spec.dnsPolicy === 'Default' ? '' : `search ${domains.join(' ')}\noptions ndots:5\n`;
    writeFileSync(join(this.#folder, 'hosts'), hosts);
    writeFileSync(join(this.#folder, 'resolv.conf'), `nameserver ${this.#context.addresses.dns}\n${search}`);
  }

  /** The node reports again when it next reads the pods; until then the API server has the old state. */
  #changed(): void {
    void this.report(this.#pod).catch(() => {});
  }
}

function commandOf({ command, args }: Container, image: UnpackedImage): readonly string[] {
  if (command !== undefined) return [...command, ...(args ?? [])];
  return [...image.entrypoint, ...(args ?? image.command)];
}
