/** A cluster of the lab: an API server, an istiod that reads it, and pods that run as its objects specify. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { eventually, temporaryFolder } from '@meshrelay/testing';
import type { InstallableCrd } from '@meshrelay/testing/custom-resources';
import { HOST } from '@meshrelay/testing/network';
import { SELDOM_COLLECTING, startRealKube } from '../../src/real-kube.ts';
import type { Authorities } from './authorities.ts';
import { generationObjects, hasArrived } from './generation.ts';
import { type Istiod, startIstiod } from './istiod.ts';
import { type LabPod, meshConfigOf, podPlans } from './pod-plan.ts';
import type { LabPrograms } from './programs.ts';
import { RunningPod } from './running-pod.ts';
import type { ProxySecrets } from './secret-service.ts';
import { StoredObjects } from './stored-objects.ts';

/** What all clusters of a lab share. */
export interface LabParts {
  readonly programs: LabPrograms;
  readonly crds: readonly InstallableCrd[];
  /** Of proxies, by their addresses; a proxy gets them at its start. */
  readonly secrets: Map<string, ProxySecrets>;
  readonly secretPort: number;
  readonly authorities: Authorities;
  readonly hostAddress: (name: string) => string;
}

/** The desired state of a cluster. */
export interface ClusterState {
  readonly objects: readonly KubeObject[];
  /** The root of its proxies' certificates, by the name that clusters with the same root share. */
  readonly root: string;
  /** Trust domains of all meshes with that root. */
  readonly trusted: readonly string[];
}

interface Started {
  readonly kubeconfig: string;
  readonly objects: StoredObjects;
  readonly accessLog: string;
  readonly stack: AsyncDisposableStack;
}

/** Objects that the lab itself adds to a cluster. */
interface Additions {
  readonly generation: number;
  readonly accessLog: string;
}

/** Milliseconds for every proxy to apply the changes. */
const TAKEN_UP_WITHIN = 90_000;
/** Milliseconds. Each probe costs CPU time of an Envoy, and all proxies are probed at the same time. */
const PROBE_INTERVAL = 25;
const SYSTEM = 'istio-system';

export class LabCluster implements AsyncDisposable {
  readonly name: string;
  readonly #parts: LabParts;
  readonly #kubeconfig: string;
  #istiod: { readonly trustDomain: string | undefined; readonly program: Istiod } | undefined;
  readonly #objects: StoredObjects;
  readonly #accessLog: string;
  readonly #stack: AsyncDisposableStack;
  readonly #pods = new Map<string, { readonly identity: string; readonly pod: RunningPod }>();
  #generation = 0;

  private constructor(name: string, parts: LabParts, { kubeconfig, objects, accessLog, stack }: Started) {
    this.name = name;
    this.#parts = parts;
    this.#kubeconfig = kubeconfig;
    this.#objects = objects;
    this.#accessLog = accessLog;
    this.#stack = stack;
  }

  static async start(name: string, parts: LabParts): Promise<LabCluster> {
    await using stack = new AsyncDisposableStack();
    const { kubeconfig } = stack.use(await startRealKube());
    const objects = stack.use(await StoredObjects.open(kubeconfig, parts.crds));
    const accessLog = join(stack.use(temporaryFolder()).path, 'access.log');
    await objects.become(complete([], { generation: 0, accessLog }));
    return new LabCluster(name, parts, { kubeconfig, objects, accessLog, stack: stack.move() });
  }

  /** Stores the objects, runs their pods, and waits until every proxy has all of the configuration. */
  async become(state: ClusterState): Promise<void> {
    const plans = podPlans(this.name, state.objects, this.#parts.hostAddress);
    const objects = withTlsLabels(state.objects, plans);
    await this.#endAllBut(plans, state);
    await this.#objects.become(complete(objects, this.#additions()));
    const istiod = await this.#istiodOf(meshConfigOf(state.objects).trustDomain);
    await Promise.all(plans.map((plan) => this.#run(plan, { state, istiod })));
    this.#generation += 1;
    await this.#objects.become(complete(objects, this.#additions()));
    const [first, ...others] = this.pods.filter(({ envoy }) => envoy !== undefined);
    // All proxies get it at about the same time, and querying all of them would delay them.
    if (first !== undefined) await this.#takenUp(first);
    await Promise.all(others.map((pod) => this.#takenUp(pod)));
  }

  /** @param name `<pod>.<namespace>` @throws Error if no such pod runs */
  pod(name: string): RunningPod {
    const found = this.#pods.get(name);
    if (found === undefined)
      throw new Error(`no pod ${name} runs in ${this.name}; there are ${[...this.#pods.keys()].join(', ')}`);
    return found.pod;
  }

  get pods(): readonly RunningPod[] {
    return [...this.#pods.values()].map(({ pod }) => pod);
  }

  /** Objects of a kind as the API server stores them. */
  list(kind: string): KubeObject[] {
    return this.#objects.list(kind);
  }

  read(object: KubeObject): Promise<KubeObject | undefined> {
    return this.#objects.read(object);
  }

  /** Size in bytes of the access log of its proxies. */
  get accessLogSize(): number {
    return existsSync(this.#accessLog) ? statSync(this.#accessLog).size : 0;
  }

  /** Lines in the access log of its proxies, in Istio's format. @param size of the log before them, in bytes */
  accessesSince(size: number): string[] {
    if (this.accessLogSize <= size) return [];
    return readFileSync(this.#accessLog).toString('utf8', size).trimEnd().split('\n');
  }

  /** Ends a pod as a failed node does: it stays in the API. The next {@link become} starts it again. */
  async end(name: string): Promise<void> {
    await this.pod(name).lose();
    this.#pods.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#pods.keys()].map((name) => this.#stop(name)));
    await this.#istiod?.program[Symbol.asyncDispose]();
    await this.#stack.disposeAsync();
  }

  /** The running istiod, or a new one: an istiod reads the trust domain of its mesh only at its start. */
  async #istiodOf(trustDomain: string | undefined): Promise<Istiod> {
    if (this.#istiod !== undefined && this.#istiod.trustDomain === trustDomain) return this.#istiod.program;
    await this.#istiod?.program[Symbol.asyncDispose]();
    const options = { cluster: this.name, kubeconfig: this.#kubeconfig, host: HOST, env: SELDOM_COLLECTING };
    const program = await startIstiod(this.#parts.programs.istiod, options);
    this.#istiod = { trustDomain, program };
    return program;
  }

  async #endAllBut(plans: readonly LabPod[], state: ClusterState): Promise<void> {
    const expected = new Map(plans.map((plan) => [nameOf(plan), identityOf(plan, state)]));
    const gone = [...this.#pods].filter(([name, { identity }]) => expected.get(name) !== identity);
    await Promise.all(gone.map(([name]) => this.#stop(name)));
  }

  async #stop(name: string): Promise<void> {
    await this.#pods.get(name)?.pod[Symbol.asyncDispose]();
    this.#pods.delete(name);
  }

  async #run(
    plan: LabPod,
    { state, istiod }: { readonly state: ClusterState; readonly istiod: Istiod },
  ): Promise<void> {
    const name = nameOf(plan);
    if (this.#pods.has(name)) return;
    const { authorities, secrets, secretPort, programs } = this.#parts;
    const certificate = await authorities.issue(state.root, plan);
    secrets.set(plan.address, { ...certificate, trusted: await authorities.trusted(state.root, state.trusted) });
    const sources = { istiod: istiod.xds, secrets: { address: HOST, port: secretPort } };
    const pod = await RunningPod.start(plan, programs, { sources, certificate });
    this.#pods.set(name, { identity: identityOf(plan, state), pod });
  }

  async #takenUp({ plan, envoy }: RunningPod): Promise<void> {
    if (envoy === undefined) return;
    const what = `${nameOf(plan)} of ${this.name} has generation ${this.#generation}`;
    await eventually(what, () => hasArrived(envoy.admin, this.#generation), {
      deadline: TAKEN_UP_WITHIN,
      every: PROBE_INTERVAL,
      seen: () => [envoy.lastWords(), this.#istiod?.program.lastWords() ?? ''].map((words) => words.slice(-600)),
    });
  }

  #additions(): Additions {
    return { generation: this.#generation, accessLog: this.#accessLog };
  }
}

function nameOf({ name, namespace }: LabPod): string {
  return `${name}.${namespace}`;
}

function identityOf(plan: LabPod, { root, trusted }: ClusterState): string {
  return JSON.stringify([plan, root, trusted]);
}

/** As Istio's injector labels pods that accept mutual TLS. */
function withTlsLabels(objects: readonly KubeObject[], plans: readonly LabPod[]): KubeObject[] {
  const byName = new Map(plans.map((plan) => [nameOf(plan), plan]));
  return objects.map((object) => {
    const { name, namespace = 'default' } = object.metadata;
    const plan = object.kind === 'Pod' ? byName.get(`${name}.${namespace}`) : undefined;
    if (plan === undefined) return object;
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
    const { status } = object as KubeObject & { readonly status?: object };
    return { ...object, metadata: { ...object.metadata, labels: plan.labels }, status: { ...status, ...ready } };
  });
}

/** With the objects that controllers would create, the lab's own, and the extended mesh configuration. */
function complete(objects: readonly KubeObject[], { generation, accessLog }: Additions): KubeObject[] {
  const all = [...objects.filter((object) => !isMeshConfig(object)), ...generationObjects(generation)];
  const named = new Set(all.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  const namespaces = new Set([SYSTEM, ...all.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  const accounts = new Set(
    all
      .filter(({ kind }) => kind === 'Pod')
      .map((pod) => {
        const { serviceAccountName = 'default' } = (pod as KubeObject & { spec: { serviceAccountName?: string } }).spec;
        return JSON.stringify([pod.metadata.namespace, serviceAccountName]);
      }),
  );
  return [
    ...[...namespaces].filter((name) => !named.has(name)).map((name) => object('v1', 'Namespace', { name })),
    ...[...accounts].map((text) => {
      const [namespace, name] = JSON.parse(text) as [string, string];
      return object('v1', 'ServiceAccount', { namespace, name });
    }),
    meshConfig(objects, accessLog),
    ...all,
  ];
}

function isMeshConfig({ kind, metadata }: KubeObject): boolean {
  return kind === 'ConfigMap' && metadata.name === 'istio';
}

/**
 * The cluster's own mesh configuration, with access logs that a failure can print, and without metrics that only
 * Istio's own Envoy supports.
 */
function meshConfig(objects: readonly KubeObject[], accessLogFile: string): KubeObject {
  const mesh = {
    ...meshConfigOf(objects),
    accessLogFile,
    enablePrometheusMerge: false,
    defaultProviders: {},
  };
  const metadata = { name: 'istio', namespace: SYSTEM };
  return { ...object('v1', 'ConfigMap', metadata), data: { mesh: JSON.stringify(mesh) } } as unknown as KubeObject;
}

function object(apiVersion: string, kind: string, metadata: KubeObject['metadata']): KubeObject {
  return { apiVersion, kind, metadata } as KubeObject;
}
