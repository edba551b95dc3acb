/** Entries of resources by type and name: the served resource, its owners, and its scopes. */
import type { XdsResource } from '../resource.ts';
import type { XdsKey } from '../resource-key.ts';
import type { XdsType } from '../resource-type.ts';

/** One entry, with or without a served resource. */
export interface ResourceEntry<Scope> {
  readonly key: XdsKey;
  /** The last valid version, which is served while its successor is invalid. */
  resource: XdsResource | undefined;
  /** The objects that contain it, in the order of their names: the first one is used. */
  holders: readonly string[];
  /** The scopes that contain it. */
  readonly scopes: Set<Scope>;
}

/** All known entries. */
export class SlotTable<Scope> {
  readonly #byType = new Map<XdsType, Map<string, ResourceEntry<Scope>>>();

  get({ type, name }: XdsKey): ResourceEntry<Scope> | undefined {
    return this.#byType.get(type)?.get(name);
  }

  /** The entry, created if needed. A caller that leaves it empty must release it. */
  at({ type, name }: XdsKey): ResourceEntry<Scope> {
    let names = this.#byType.get(type);
    if (names === undefined) {
      names = new Map();
      this.#byType.set(type, names);
    }
    let slot = names.get(name);
    if (slot === undefined) {
      slot = { key: { type, name }, resource: undefined, holders: [], scopes: new Set() };
      names.set(name, slot);
    }
    return slot;
  }

  /** Removes an entry without content and scopes. */
  release(slot: ResourceEntry<Scope>): void {
    const { key, resource, holders, scopes } = slot;
    if (resource !== undefined || holders.length > 0 || scopes.size > 0) return;
    if (this.get(key) === slot) this.#byType.get(key.type)?.delete(key.name);
  }
}
