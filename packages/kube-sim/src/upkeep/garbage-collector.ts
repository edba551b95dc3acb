/** Deletes objects without any remaining owner, and performs foreground and orphaning deletions. */
import { internalWrite } from '../admission/write-options.ts';
import type { Cluster } from '../cluster.ts';
import type { KubeObject, OwnerReference } from '../object.ts';
import { inStorageVersion } from '../resources/catalog.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { copyJson } from '../schema/json-values.ts';
import type { StoredEvent } from '../storage/event-history.ts';
import { deleteObject } from '../verbs/delete.ts';
import { finishUpdate } from '../verbs/finish-update.ts';

interface Dependent {
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
}

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

/** Follows every resource of the catalog, including those of later CRDs. Disposing stops it. */
export class GarbageCollector implements Disposable {
  readonly #cluster: Cluster;
  /** Dependents of each owner uid, by the dependent's own uid. */
  readonly #dependents = new Map<string, Map<string, Dependent>>();
  readonly #followed = new Map<string, Disposable>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Starts following a resource; following it again is not an error. */
  follow(definition: ResourceDefinition): void {
    const key = `${definition.plural}.${definition.group}`;
    if (this.#followed.has(key)) return;
    const collection = this.#cluster.store.collection(definition);
    this.#followed.set(
      key,
      collection.subscribe(
        (event) => this.#observe(definition, event),
        () => this.#followed.delete(key),
      ),
    );
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#followed.values()) subscription[Symbol.dispose]();
    this.#followed.clear();
  }

  #observe(definition: ResourceDefinition, { type, object, previous }: StoredEvent): void {
    const { uid = '', namespace = '', name, finalizers = [], deletionTimestamp } = object.metadata;
    const owners = type === 'DELETED' ? [] : (object.metadata.ownerReferences ?? []);
    for (const owner of previous?.metadata.ownerReferences ?? []) this.#dependents.get(owner.uid)?.delete(uid);
    for (const owner of owners) {
      const known = this.#dependents.get(owner.uid) ?? new Map<string, Dependent>();
      this.#dependents.set(owner.uid, known.set(uid, { definition, namespace, name }));
    }
    if (type === 'DELETED') {
      const waiting = [...(previous?.metadata.ownerReferences ?? [])];
      queueMicrotask(() => {
        this.#ownerGone(uid);
        for (const owner of waiting) this.#finishForeground(owner, namespace);
      });
    } else if (deletionTimestamp !== undefined && finalizers.includes(ORPHAN)) {
      queueMicrotask(() => this.#orphan(definition, object));
    } else if (deletionTimestamp !== undefined && finalizers.includes(FOREGROUND)) {
      queueMicrotask(() => this.#deleteDependentsFirst(definition, object));
    } else if (owners.length > 0) {
      queueMicrotask(() => this.#collect({ definition, namespace, name }));
    }
  }

  #ownerGone(uid: string): void {
    const dependents = this.#dependents.get(uid);
    this.#dependents.delete(uid);
    for (const dependent of dependents?.values() ?? []) this.#collect(dependent);
  }

  /** Deletes an object if none of its owners exists any more. */
  #collect(dependent: Dependent): void {
    const object = this.#find(dependent);
    const owners = object?.metadata.ownerReferences ?? [];
    if (object === undefined || owners.length === 0 || object.metadata.deletionTimestamp !== undefined) return;
    if (owners.some((owner) => this.#findOwner(owner, dependent.namespace) !== undefined)) return;
    this.#delete(dependent, 'Background');
  }

  #deleteDependentsFirst(definition: ResourceDefinition, owner: KubeObject): void {
    const dependents = [...(this.#dependents.get(owner.metadata.uid ?? '')?.values() ?? [])];
    for (const dependent of dependents)
      if (this.#find(dependent)?.metadata.deletionTimestamp === undefined) this.#delete(dependent, 'Background');
    if (!this.#isBlocked(owner)) this.#withoutFinalizer(definition, owner, FOREGROUND);
  }

  #finishForeground(reference: OwnerReference, namespace: string): void {
    const owner = this.#findOwner(reference, namespace);
    if (owner?.object.metadata.finalizers?.includes(FOREGROUND) !== true || this.#isBlocked(owner.object)) return;
    this.#withoutFinalizer(owner.definition, owner.object, FOREGROUND);
  }

  #isBlocked(owner: KubeObject): boolean {
    const uid = owner.metadata.uid ?? '';
    return [...(this.#dependents.get(uid)?.values() ?? [])].some((dependent) =>
      this.#find(dependent)?.metadata.ownerReferences?.some(
        (each) => each.uid === uid && each.blockOwnerDeletion === true,
      ),
    );
  }

  #orphan(definition: ResourceDefinition, owner: KubeObject): void {
    const uid = owner.metadata.uid ?? '';
    for (const dependent of this.#dependents.get(uid)?.values() ?? []) {
      const live = this.#find(dependent);
      if (live === undefined) continue;
      const draft = copyJson(live);
      draft.metadata.ownerReferences = (draft.metadata.ownerReferences ?? []).filter((each) => each.uid !== uid);
      if (draft.metadata.ownerReferences.length === 0) delete draft.metadata.ownerReferences;
      this.#write(dependent.definition, live, draft);
    }
    this.#withoutFinalizer(definition, owner, ORPHAN);
  }

  #withoutFinalizer(definition: ResourceDefinition, object: KubeObject, finalizer: string): void {
    const { namespace = '', name } = object.metadata;
    const live = this.#find({ definition, namespace, name });
    if (live?.metadata.finalizers?.includes(finalizer) !== true) return;
    const draft = copyJson(live);
    draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter((each) => each !== finalizer);
    if (draft.metadata.finalizers.length === 0) delete draft.metadata.finalizers;
    this.#write(definition, live, draft);
  }

  #write(definition: ResourceDefinition, live: KubeObject, draft: KubeObject): void {
    const options = internalWrite('kube-controller-manager');
    finishUpdate(this.#cluster, { resource: inStorageVersion(definition), live, draft, subresource: '', options });
  }

  #delete({ definition, namespace, name }: Dependent, propagation: 'Background'): void {
    if (this.#find({ definition, namespace, name }) === undefined) return;
    const resource = inStorageVersion(definition);
    deleteObject(this.#cluster, { resource, namespace, name }, { dryRun: false, propagation });
  }

  #find({ definition, namespace, name }: Dependent): KubeObject | undefined {
    const key = definition.namespaced ? `${namespace}/${name}` : name;
    return this.#cluster.store.collection(definition).get(key);
  }

  #findOwner(
    owner: OwnerReference,
    namespace: string,
  ): { readonly object: KubeObject; readonly definition: ResourceDefinition } | undefined {
    const group = owner.apiVersion.includes('/') ? (owner.apiVersion.split('/')[0] ?? '') : '';
    const definition = this.#cluster.catalog.stored(group, owner.kind)?.definition;
    if (definition === undefined) return undefined;
    const object = this.#find({ definition, namespace, name: owner.name });
    return object?.metadata.uid === owner.uid ? { object, definition } : undefined;
  }
}
