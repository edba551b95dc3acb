/**
 * The objects of one cluster on its real API server: creates, changes and deletes them until they match the desired
 * ones.
 */
import { apiVersionOf, groupOf, type KubeObject } from '@meshrelay/api';
import { connect, type KubeConnection } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources, type InstallableCrd } from '@meshrelay/testing/custom-resources';

/** The kind that all others need first, and that a cluster without controllers never finishes deleting. */
const NAMESPACE: ResourceKind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
/** Kinds of Kubernetes itself that istiod reads. */
const BUILT_IN: readonly ResourceKind[] = [
  NAMESPACE,
  { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false },
  { group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true },
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
  { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true },
  { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
  { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice', plural: 'endpointslices', namespaced: true },
];
const NEEDED_BY_PODS = ['Node', 'ServiceAccount'];

interface Stored {
  readonly kind: ResourceKind;
  /** The desired object. */
  readonly text: string;
  /** The object as the server stores it. */
  readonly object: KubeObject;
}

interface Expected {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

export class StoredObjects implements AsyncDisposable {
  readonly #connection: KubeConnection;
  readonly #kinds: readonly ResourceKind[];
  /** Kinds whose objects are created at the same time, in order. */
  readonly #steps: readonly (readonly ResourceKind[])[];
  readonly #stored = new Map<string, Stored>();

  private constructor(connection: KubeConnection, custom: readonly ResourceKind[]) {
    this.#connection = connection;
    this.#kinds = [...BUILT_IN, ...custom];
    const isNeeded = ({ kind }: ResourceKind): boolean => NEEDED_BY_PODS.includes(kind);
    this.#steps = [
      [NAMESPACE],
      BUILT_IN.filter(isNeeded),
      this.#kinds.filter((kind) => kind !== NAMESPACE && !isNeeded(kind)),
    ];
  }

  /** @throws Error if the server rejects a CRD */
  static async open(kubeconfig: string, crds: readonly InstallableCrd[]): Promise<StoredObjects> {
    using client = new Client(targetOf(kubeconfig));
    await CustomResources.install(client, crds);
    const connection = connect({ text: kubeconfig });
    return new StoredObjects(connection, crds.flatMap(kindsOf));
  }

  /**
   * Makes the server store these objects and no others of the kinds that istiod reads; ignores objects of other kinds.
   * Namespaces stay.
   * @throws KubeError if the server rejects one
   */
  async become(objects: readonly KubeObject[]): Promise<void> {
    const expected = new Map(objects.flatMap((object) => this.#expected(object)));
    await this.#removeAllBut(expected);
    for (const kinds of this.#steps) {
      const some = [...expected].filter(([, one]) => kinds.includes(one.kind));
      await Promise.all(some.map(([id, one]) => this.#put(id, one)));
    }
  }

  /** The objects of a kind as the server stores them. */
  list(kind: string): KubeObject[] {
    return [...this.#stored.values()].filter((one) => one.kind.kind === kind).map(({ object }) => object);
  }

  /** Reads an object again, as controllers have changed it. */
  async read(object: KubeObject): Promise<KubeObject | undefined> {
    const kind = this.#kindOf(object);
    return kind === undefined ? undefined : this.#connection.objects(kind).read(object.metadata);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }

  #expected(object: KubeObject): Array<[string, Expected]> {
    const kind = this.#kindOf(object);
    return kind === undefined ? [] : [[idOf(kind, object), { kind, object }]];
  }

  #kindOf({ apiVersion, kind }: KubeObject): ResourceKind | undefined {
    return (
      this.#kinds.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion) ??
      this.#kinds.find((one) => one.kind === kind && one.group === groupOf(apiVersion))
    );
  }

  async #removeAllBut(expected: ReadonlyMap<string, Expected>): Promise<void> {
    const gone = [...this.#stored].filter(([id, { kind }]) => kind !== NAMESPACE && !expected.has(id));
    await Promise.all(gone.map(([id, { kind, object }]) => this.#remove(id, kind, object)));
  }

  async #remove(id: string, kind: ResourceKind, { metadata }: KubeObject): Promise<void> {
    // These clusters have no kubelet that would end a pod, so it would never disappear by itself.
    const query = { gracePeriodSeconds: 0 };
    const what = `delete ${kind.kind} ${metadata.namespace ?? ''}/${metadata.name}`;
    const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
    const path = `${root}${place}/${kind.plural}/${metadata.name}`;
    await this.#connection.request({ what, method: 'DELETE', path, query });
    this.#stored.delete(id);
  }

  async #put(id: string, { kind, object }: Expected): Promise<void> {
    const text = JSON.stringify(object);
    const before = this.#stored.get(id);
    if (before?.text === text) return;
    // A pod's spec is immutable.
    if (before !== undefined && kind.kind === 'Pod') await this.#remove(id, kind, object);
    const { status, ...whole } = object as KubeObject & { readonly status?: unknown };
    const client = this.#connection.objects(kind);
    const made = await client.apply({ ...whole, apiVersion: apiVersionOf(kind) } as KubeObject, { force: true });
    const stored = status === undefined ? made : await client.mergeStatus(object.metadata, status);
    this.#stored.set(id, { kind, text, object: stored });
  }
}

/** In the newest served version. */
function kindsOf({ spec: { group, names, scope, versions } }: InstallableCrd): ResourceKind[] {
  const version = versions.find(({ served }) => served)?.name;
  const { kind, plural } = names;
  return version === undefined ? [] : [{ group, version, kind, plural, namespaced: scope === 'Namespaced' }];
}

function idOf({ group, kind }: ResourceKind, { metadata: { namespace = '', name } }: KubeObject): string {
  return `${group}/${kind}/${namespace}/${name}`;
}
