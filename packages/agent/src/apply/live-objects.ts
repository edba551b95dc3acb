/** What the cluster has of the kinds that plugins write, ours and the user's, with the versions that writes depend on. */
import type { KubeObject } from '@meshrelay/api';
import { type ObjectKey as KubeKey, withoutManagedFields } from '@meshrelay/kube';
import { kindKey, type ResourceKind } from '@meshrelay/relay-core';
import { objectId } from '@meshrelay/relay-protocol';
import type { KindReader, Tick } from '../input/tick.ts';
import { relayKey } from '../push/envelopes.ts';

/** An object of the cluster. */
export interface LiveObject {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

export class LiveObjects implements KindReader {
  readonly needs = 'version';
  readonly kinds: readonly ResourceKind[];
  readonly #objects = new Map<string, Map<string, LiveObject>>();
  readonly #known = new Set<string>();
  /** Objects for which a request is under way, and whether one was removed meanwhile. */
  readonly #requested = new Map<string, 'there' | 'removed'>();
  readonly #changed: (id: string, kind: ResourceKind, key: KubeKey) => void;
  readonly #becameKnown: (kind: ResourceKind) => void;

  /**
   * @param changed an object is not what it was; not called for what the agent's own writes told
   * @param becameKnown a kind is known in full, as after each list
   */
  constructor(
    kinds: readonly ResourceKind[],
    changed: (id: string, kind: ResourceKind, key: KubeKey) => void,
    becameKnown: (kind: ResourceKind) => void,
  ) {
    this.kinds = kinds;
    this.#changed = changed;
    this.#becameKnown = becameKnown;
    for (const kind of kinds) this.#objects.set(kindKey(kind), new Map());
  }

  get(kind: ResourceKind, id: string): LiveObject | undefined {
    return this.#objects.get(kindKey(kind))?.get(id);
  }

  /** Whether what is not here is not in the cluster either. */
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
    this.#becameKnown(kind);
  }

  lost(kind: ResourceKind): void {
    this.#known.delete(kindKey(kind));
  }

  /** A request of the agent for the object is sent now. To be called once more only after `answered`. */
  requested(id: string): void {
    this.#requested.set(id, 'there');
  }

  /** @returns false where the watch told meanwhile that the object went: the answer may be of before or after that, and says nothing */
  answered(id: string): boolean {
    const meanwhile = this.#requested.get(id);
    this.#requested.delete(id);
    return meanwhile !== 'removed';
  }

  /** Takes up what a write or a read of the agent has just shown, before the watch tells of it; or after it told of something newer. */
  saw(kind: ResourceKind, object: KubeObject): void {
    const id = objectId(relayKey(kind, object.metadata));
    const before = this.get(kind, id)?.object;
    if (before !== undefined && isOlder(object, before)) return;
    this.#objects.get(kindKey(kind))?.set(id, { id, kind, object: withoutManagedFields(object) });
  }

  /** The object is not there, as a write or a read of the agent has just shown. */
  missed(kind: ResourceKind, id: string): void {
    this.#objects.get(kindKey(kind))?.delete(id);
  }

  #upsert(kind: ResourceKind, object: KubeObject): void {
    const id = objectId(relayKey(kind, object.metadata));
    const before = this.get(kind, id)?.object;
    // The watch may still tell of a version that one of our own writes has replaced.
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

/** Versions of one incarnation, where they can be ordered at all. */
function isOlder({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  if (a.uid !== b.uid) return false;
  const [one, other] = [Number(a.resourceVersion), Number(b.resourceVersion)];
  return Number.isSafeInteger(one) && Number.isSafeInteger(other) && one < other;
}
