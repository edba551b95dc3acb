/**
 * A workload cluster for tests: an API server with Meshrelay's CRDs, the relevant ones of Istio, and the agent's
 * namespace.
 */
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterPolicyKinds, isMeshrelayGroup, type KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { connect, type KubeConnection } from '@meshrelay/kube';
import { type KubeSim, openCrd, type KubeObject as SimObject, startKubeSim } from '@meshrelay/kube-sim';
import {
  kindsReported,
  type MeshPlugin,
  OWNER_LABEL,
  type ResourceKind,
  WORKLOAD_CA_SECRET,
} from '@meshrelay/relay-core';
import { testMesh } from '@meshrelay/test-mesh';
import { temporaryFolder } from '@meshrelay/testing';

export const NAMESPACE = 'meshrelay';
export const ISTIO = 'networking.istio.io/v1';

/**
 * Number of kinds pushed to the server: results of discovery, policies, namespaces, and the kinds that the plugin
 * writes and reads.
 */
export function countPushedKinds(plugin: MeshPlugin = testMesh): number {
  return 3 + clusterPolicyKinds.length + 1 + kindsReported(plugin).length;
}

export class TestCluster implements AsyncDisposable {
  readonly sim: KubeSim;
  readonly connection: KubeConnection;
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  readonly #folder: Disposable;

  private constructor(sim: KubeSim) {
    this.sim = sim;
    const folder = temporaryFolder();
    this.#folder = folder;
    this.kubeconfig = join(folder.path, 'kubeconfig');
    writeFileSync(this.kubeconfig, sim.kubeconfig);
    this.connection = connect({ text: sim.kubeconfig });
  }

  /** `kinds` are the installed ones of Istio; by default all written kinds. */
  static async start({
    kinds = testMesh.writes,
    objects = [],
    controllers = false,
  }: {
    readonly kinds?: readonly ResourceKind[];
    readonly objects?: readonly SimObject[];
    readonly controllers?: boolean;
  } = {}): Promise<TestCluster> {
    const namespaces = [NAMESPACE, 'shop', 'istio-system'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    }));
    const unmanaged = kinds.filter(({ group }) => !isMeshrelayGroup(group));
    const sim = await startKubeSim({
      ...(controllers ? {} : { controllers: false }),
      objects: [...(crds as unknown as readonly SimObject[]), ...unmanaged.map(openCrd), ...namespaces, ...objects],
    });
    return new TestCluster(sim);
  }

  get(kind: string, name: string, namespace = 'shop', apiVersion: string = ISTIO): SimObject | undefined {
    return this.sim.objects.get({ apiVersion, kind, namespace, name });
  }

  names(kind: string, apiVersion: string = ISTIO): string[] {
    return this.sim.objects.list({ apiVersion, kind }).map(({ metadata }) => metadata.name);
  }

  delete(kind: string, name: string, namespace = 'shop', apiVersion: string = ISTIO): void {
    this.sim.objects.delete({ apiVersion, kind, namespace, name });
  }

  /** Term and applied inputs in the ledger. */
  ledger(): { readonly term: number; readonly inputVector?: Record<string, string> } | undefined {
    const found = this.sim.objects.get({
      apiVersion: 'admin.meshrelay.dev/v1alpha1',
      kind: 'OutputLedger',
      namespace: NAMESPACE,
      name: 'agent',
    });
    return found?.['spec'] as { term: number } | undefined;
  }

  secret(name: string): Record<string, string> | undefined {
    const found = this.sim.objects.get({ apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name });
    return found?.['data'] as Record<string, string> | undefined;
  }

  setSecret(name: string, data: Readonly<Record<string, string>>): void {
    const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name, namespace: NAMESPACE },
      data: Object.fromEntries(encoded),
    };
    if (this.secret(name) === undefined) this.sim.objects.create(secret);
    else this.sim.objects.update(secret);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection[Symbol.asyncDispose]();
    await this.sim[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** An output in the form that the server generates. */
export function output(kind: string, name: string, spec: object = {}, owner: string = NAMESPACE): KubeObject {
  return {
    apiVersion: ISTIO,
    kind,
    metadata: { name, namespace: 'shop', labels: { [OWNER_LABEL]: owner } },
    spec,
  };
}

/** A desired intermediate CA of the mesh in `istio-system`. */
export function issuedCertificate(spec: object = {}): KubeObject {
  return {
    apiVersion: 'certificates.meshrelay.dev/v1alpha1',
    kind: 'IssuedCertificate',
    metadata: { name: 'ca', namespace: 'istio-system', labels: { [OWNER_LABEL]: NAMESPACE } },
    spec: {
      trustDomain: 'cluster.local',
      constrained: false,
      secretName: 'cacerts',
      issuer: { virtualMesh: { name: 'shop', namespace: NAMESPACE } },
      ...spec,
    },
  };
}

/** A pod with an Envoy that takes its configuration from the agent. */
export function labelledPod(name = 'reviews-1', namespace = 'shop', serviceAccountName = 'reviews'): SimObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { 'mesh.meshrelay.dev/envoy': 'sidecar' } },
    spec: { serviceAccountName, containers: [{ name: 'app', image: 'app' }] },
  } as unknown as SimObject;
}

/** The desired CA of the agent's Envoys: a root of the cluster's own. */
export function workloadCertificate(): KubeObject {
  const issuer = { virtualMesh: { name: 'shop', namespace: NAMESPACE }, selfSigned: {} };
  const object = issuedCertificate({ secretName: WORKLOAD_CA_SECRET, issuer });
  return { ...object, metadata: { ...object.metadata, name: WORKLOAD_CA_SECRET, namespace: NAMESPACE } };
}
