/** The places of resources by type and name: what is served there, whose it is, and whom it concerns. */
import type { XdsKey, XdsResource } from '../resource.ts';
import type { XdsType } from '../resource-type.ts';
import type { Scope } from './scope.ts';

/** One place, whether something is served there or not. */
export interface ResourceEntry {
  readonly key: XdsKey;
  /** The last good one, which serves while its successor is bad. */
  resource: XdsResource | undefined;
  /** The objects that hold it, in the order of their names: the first counts. */
  holders: readonly string[];
  /** Those who may have it. */
  readonly scopes: Set<Scope>;
}

/** All places that anybody knows of. */
export class SlotTable {
  readonly #byType = new Map<XdsType, Map<string, ResourceEntry>>();

  get({ type, name }: XdsKey): ResourceEntry | undefined {
    return this.#byType.get(type)?.get(name);
  }

  /** The place, made where there is none yet. Whoever leaves it empty releases it. */
  at({ type, name }: XdsKey): ResourceEntry {
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

  /** Forgets a place that nothing is in and nobody looks at. */
  release(slot: ResourceEntry): void {
    const { key, resource, holders, scopes } = slot;
    if (resource !== undefined || holders.length > 0 || scopes.size > 0) return;
    if (this.get(key) === slot) this.#byType.get(key.type)?.delete(key.name);
  }
}
