/** All configuration of a cluster's Envoys, and the part that each caller may have. */
import type { Hash, XdsResource } from '../resource.ts';
import { keyText, type XdsKey } from '../resource-key.ts';
import type { SecretSource, XdsCaller } from './caller.ts';
import { CallerView } from './caller-view.ts';
import { accountText, Roots } from './roots.ts';
import { Scope, type ScopedEntry } from './scope.ts';
import { type BadResource, type CatalogProxy, decodeShard, type ShardEntry, type ShardSpec } from './shard.ts';
import { SlotTable } from './slot.ts';

/** Dependencies of a catalog on its host. */
export interface CatalogOptions {
  readonly hash: Hash;
  readonly secrets?: SecretSource | undefined;
}

interface Shard {
  readonly proxies: readonly CatalogProxy[];
  readonly entries: ReadonlyMap<string, ShardEntry>;
}

const EMPTY: Shard = { proxies: [], entries: new Map() };

/**
 * The cost of a change depends only on what it affects: entries know their scopes, and streams of one caller share a
 * scope.
 */
export class XdsCatalog {
  readonly #options: CatalogOptions;
  readonly #shards = new Map<string, Shard>();
  readonly #slots = new SlotTable<Scope>();
  readonly #roots = new Roots();
  readonly #scopes = new Map<string, Scope>();

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** Adds or changes an object, by its name. */
  set(name: string, spec: ShardSpec): void {
    const before = this.#shards.get(name);
    const entries = decodeShard(spec, before?.entries, this.#options.hash);
    this.#replace(name, before, { proxies: spec.proxies ?? [], entries });
  }

  /** Removes an object. */
  delete(name: string): void {
    this.#replace(name, this.#shards.get(name), undefined);
  }

  /** Resources that are not served in their current version, or not at all. */
  bad(): BadResource[] {
    return [...this.#shards].flatMap(([shard, { entries }]) =>
      [...entries.values()].flatMap(({ type, name, problem }) =>
        problem === undefined ? [] : [{ shard, type, name, problem }],
      ),
    );
  }

  /** The object that supplies the resource of that name. */
  holderOf(key: XdsKey): string | undefined {
    return this.#slots.get(key)?.holders[0];
  }

  /** Keys of the resources in an object. */
  keysIn(object: string): XdsKey[] {
    return [...(this.#shards.get(object)?.entries.values() ?? [])].map(({ type, name }) => ({ type, name }));
  }

  get(key: XdsKey): XdsResource | undefined {
    return this.#slots.get(key)?.resource;
  }

  /**
   * Whether a resource is expected and nothing is served in its place. An extension that a listener names always is: it
   * has an object of its own, which may arrive later.
   */
  isAwaited(key: XdsKey): boolean {
    const slot = this.#slots.get(key);
    if (slot?.resource !== undefined) return false;
    return key.type === 'extensionConfig' || (slot !== undefined && this.#entryOf(slot)?.awaited === true);
  }

  /** The view of a caller; it is updated until it is disposed of. */
  view(caller: XdsCaller): CallerView {
    const { secrets } = this.#options;
    const id = JSON.stringify([caller.namespace, caller.serviceAccount, caller.workload]);
    const scope = this.#scopes.get(id) ?? this.#openScope(id, caller);
    const view = new CallerView(scope, {
      isAwaited: (whose, key) =>
        key.type === 'secret' ? (secrets?.isAwaited?.(whose, key.name) ?? false) : this.isAwaited(key),
      foreignSecret: (whose, name) => secrets?.refused?.(whose, name),
      ended: (ended) => {
        scope.views.delete(ended);
        if (scope.views.size > 0 || this.#scopes.get(id) !== scope) return;
        this.#scopes.delete(id);
        scope.end();
      },
    });
    scope.views.add(view);
    return view;
  }

  /** Secrets of these names changed. @param whose omitted: those of all callers */
  secretsChanged(names: Iterable<string>, whose?: Pick<XdsCaller, 'namespace' | 'serviceAccount'>): void {
    const account = whose === undefined ? undefined : accountText(whose);
    for (const name of names) {
      const slot = this.#slots.get({ type: 'secret', name });
      if (slot === undefined) continue;
      for (const scope of slot.scopes)
        if (account === undefined || accountText(scope.caller) === account) scope.touched(slot);
    }
    this.#report(this.#scopes.values());
  }

  #openScope(id: string, caller: XdsCaller): Scope {
    const scope = new Scope(caller, {
      slotAt: (key) => this.#slots.at(key),
      release: (slot) => this.#slots.release(slot),
      secret: (whose, name) => this.#options.secrets?.get(whose, name),
    });
    scope.root(this.#roots.of(caller));
    // A new scope has no streams yet, so nothing in it is an update.
    scope.settle();
    this.#scopes.set(id, scope);
    return scope;
  }

  #replace(name: string, before: Shard | undefined, after: Shard | undefined): void {
    if (after === undefined) this.#shards.delete(name);
    else this.#shards.set(name, after);
    const concerned = new Set<Scope>();
    const slots = this.#serveAll(name, before ?? EMPTY, after ?? EMPTY);
    // Only now, since resources must be served before streams follow references to them.
    for (const slot of slots) {
      for (const scope of slot.scopes) concerned.add(scope);
      for (const scope of [...slot.scopes]) scope.touched(slot);
    }
    const accounts = this.#roots.set(name, before?.proxies ?? [], after?.proxies ?? []);
    if (accounts.size > 0) {
      for (const scope of this.#scopes.values()) {
        if (!accounts.has(accountText(scope.caller))) continue;
        scope.root(this.#roots.of(scope.caller));
        concerned.add(scope);
      }
    }
    for (const slot of slots) this.#slots.release(slot);
    this.#report(concerned);
  }

  #report(scopes: Iterable<Scope>): void {
    for (const scope of scopes) {
      const keys = scope.settle();
      if (keys.length > 0) for (const view of scope.views) view.onChanged?.(keys);
    }
  }

  /** Recomputes the served resources of an object. @returns the entries whose resource or status changed */
  #serveAll(shard: string, before: Shard, after: Shard): ScopedEntry[] {
    const changed: ScopedEntry[] = [];
    for (const id of new Set([...before.entries.keys(), ...after.entries.keys()])) {
      const [old, entry] = [before.entries.get(id), after.entries.get(id)];
      const key = entry ?? old;
      if (old === entry || key === undefined) continue;
      const slot = this.#slots.at(key);
      hold(slot, shard, entry !== undefined);
      if (this.#serve(slot)) changed.push(slot);
    }
    return changed;
  }

  /**
   * Recomputes the served resource of an entry. An invalid resource leaves its last valid version in place; a deleted
   * one does not.
   */
  #serve(slot: ScopedEntry): boolean {
    const { resource: old } = slot;
    const entry = this.#entryOf(slot);
    const resource = entry === undefined ? undefined : (entry.resource ?? old);
    if (resource?.version === old?.version) return resource === undefined;
    slot.resource = resource;
    return true;
  }

  #entryOf({ key, holders: [holder] }: ScopedEntry): ShardEntry | undefined {
    return holder === undefined ? undefined : this.#shards.get(holder)?.entries.get(keyText(key));
  }
}

function hold(slot: ScopedEntry, shard: string, holds: boolean): void {
  const others = slot.holders.filter((each) => each !== shard);
  slot.holders = holds ? [...others, shard].sort() : others;
}
