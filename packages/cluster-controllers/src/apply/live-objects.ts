/**
 * Objects in the cluster of the kinds that plugins write, both managed and user-owned, with the versions that writes
 * depend on.
 */
import type { KubeObject } from '@meshrelay/api';
import { type ObjectKey as KubeKey, withoutManagedFields } from '@meshrelay/kube';
import { kindKey, type ResourceKind } from '@meshrelay/relay-core';
import { objectId } from '@meshrelay/relay-protocol';
import type { KindReader, Tick } from '../input/tick.ts';
import { relayKey } from '../push/envelopes.ts';

export interface LiveObject {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

export interface LiveObjectsListener {
  /** An object changed; not called for changes by the agent's own writes. */
  changed(id: string, kind: ResourceKind, key: KubeKey): void;
  /** A kind is synced; called after each list. */
  becameKnown(kind: ResourceKind): void;
}

export class LiveObjects implements KindReader {
  readonly needs = 'version';
  readonly kinds: readonly ResourceKind[];
  readonly #objects = new Map<string, Map<string, LiveObject>>();
  readonly #known = new Set<string>();
  /** Objects with a request in flight, and whether the watch reported a removal meanwhile. */
  readonly #requested = new Map<string, 'there' | 'removed'>();
  readonly #listeners = new Set<LiveObjectsListener>();

  constructor(kinds: readonly ResourceKind[]) {
    this.kinds = kinds;
    for (const kind of kinds) this.#objects.set(kindKey(kind), new Map());
  }

  listen(listener: LiveObjectsListener): void {
    this.#listeners.add(listener);
  }

  get(kind: ResourceKind, id: string): LiveObject | undefined {
    return this.#objects.get(kindKey(kind))?.get(id);
  }

  /** Whether the kind is synced, so an object missing here is missing in the cluster. */
  knows(kind: ResourceKind): boolean {
    return this.#known.has(kindKey(kind));
  }

  get knowsAll(): boolean {
    return this.#known.size === this.kinds.length;
  }

  *all(): Generator<LiveObject> {
    for (const objects of this.#objects.values()) yield* objects.values();
  }

  take(kind: ResourceKind, { all, upserts, removed, complete }: Tick): void {
    if (all) this.#removeOthers(kind, upserts);
    for (const key of removed) this.#remove(kind, key);
    for (const object of upserts) this.#upsert(kind, object);
    if (!complete) return;
    this.#known.add(kindKey(kind));
    for (const { becameKnown } of this.#listeners) becameKnown(kind);
  }

  lost(kind: ResourceKind): void {
    this.#known.delete(kindKey(kind));
  }

  /** The agent now sends a request for the object. Call it again only after `answered`. */
  requested(id: string): void {
    this.#requested.set(id, 'there');
  }

  /**
   * @returns false if the watch reported a removal meanwhile: the response may be older or newer than that, so it
   * proves nothing
   */
  answered(id: string): boolean {
    const meanwhile = this.#requested.get(id);
    this.#requested.delete(id);
    return meanwhile !== 'removed';
  }

  /**
   * Ingests the object from a write or read response of the agent. The watch may report it later, or may already have
   * reported a newer version.
   */
  saw(kind: ResourceKind, object: KubeObject): void {
    const id = objectId(relayKey(kind, object.metadata));
    const before = this.get(kind, id)?.object;
    if (before !== undefined && isOlder(object, before)) return;
    this.#objects.get(kindKey(kind))?.set(id, { id, kind, object: withoutManagedFields(object) });
  }

  /** A write or read of the agent has just shown that the object does not exist. */
  missed(kind: ResourceKind, id: string): void {
    this.#objects.get(kindKey(kind))?.delete(id);
  }

  #changed(id: string, kind: ResourceKind, key: KubeKey): void {
    for (const { changed } of this.#listeners) changed(id, kind, key);
  }

  #upsert(kind: ResourceKind, object: KubeObject): void {
    const id = objectId(relayKey(kind, object.metadata));
    const before = this.get(kind, id)?.object;
    // The watch may still report a version that one of the agent's writes has replaced.
    if (before !== undefined && isOlder(object, before)) return;
    this.#objects.get(kindKey(kind))?.set(id, { id, kind, object });
    if (before?.metadata.resourceVersion !== object.metadata.resourceVersion) this.#changed(id, kind, object.metadata);
  }

  #remove(kind: ResourceKind, key: KubeKey): void {
    const id = objectId(relayKey(kind, key));
    if (this.#requested.has(id)) this.#requested.set(id, 'removed');
    this.#objects.get(kindKey(kind))?.delete(id);
    this.#changed(id, kind, key);
  }

  #removeOthers(kind: ResourceKind, present: readonly KubeObject[]): void {
    const ids = new Set(present.map(({ metadata }) => objectId(relayKey(kind, metadata))));
    for (const { id, object } of [...(this.#objects.get(kindKey(kind))?.values() ?? [])]) {
      if (!ids.has(id)) this.#remove(kind, object.metadata);
    }
  }
}

/** Compares versions of one incarnation, where they can be ordered. */
function isOlder({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  if (a.uid !== b.uid) return false;
  const [one, other] = [Number(a.resourceVersion), Number(b.resourceVersion)];
  return Number.isSafeInteger(one) && Number.isSafeInteger(other) && one < other;
}
