/** All configuration of a cluster's Envoys, and what of it each caller may have. */
import { type Hash, keyText, type XdsKey, type XdsResource } from '../resource.ts';
import { CallerView } from './caller-view.ts';
import { type BadResource, type CatalogProxy, decodeShard, type ShardEntry, type ShardSpec } from './shard.ts';

/** Whom a caller has proved to be, and what it says of itself, which chooses only among what is its own anyhow. */
export interface XdsCaller {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly workload?: string | undefined;
}

/** Where secrets come from: they are in no object. */
export interface SecretSource {
  /** One that the caller's own configuration names; undefined where it does not exist, yet or at all, and where it is not the caller's. */
  get(caller: XdsCaller, name: string): XdsResource | undefined;
  /** Whether one of the caller's own is on its way: it is not said to be missing. */
  isAwaited?(caller: XdsCaller, name: string): boolean;
  /** The caller asked for one that its configuration does not name; it gets nothing. */
  refused?(caller: XdsCaller, name: string): void;
}

/** What a catalog needs of its host. */
export interface CatalogOptions {
  readonly hash: Hash;
  readonly secrets?: SecretSource | undefined;
}

interface Shard {
  readonly proxies: readonly CatalogProxy[];
  readonly entries: ReadonlyMap<string, ShardEntry>;
}

export class XdsCatalog {
  readonly #options: CatalogOptions;
  readonly #shards = new Map<string, Shard>();
  /** For each resource, the shards that hold it, in the order of their names. */
  readonly #holders = new Map<string, string[]>();
  /** The last good of each resource, which serves while its successor is bad. */
  readonly #served = new Map<string, XdsResource>();
  readonly #views = new Set<CallerView>();

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** Puts an object, new or changed, by its name. */
  set(name: string, spec: ShardSpec): void {
    const before = this.#shards.get(name);
    const entries = decodeShard(spec, before?.entries, this.#options.hash);
    this.#replace(name, before, { proxies: spec.proxies ?? [], entries });
  }

  /** Takes an object away. */
  delete(name: string): void {
    this.#replace(name, this.#shards.get(name), undefined);
  }

  /** Resources that are not served as they are, or not at all. */
  bad(): BadResource[] {
    return [...this.#shards].flatMap(([shard, { entries }]) =>
      [...entries.values()].flatMap(({ type, name, problem }) =>
        problem === undefined ? [] : [{ shard, type, name, problem }],
      ),
    );
  }

  /** The object whose resource of that name counts. */
  holderOf(key: XdsKey): string | undefined {
    return this.#holders.get(keyText(key))?.[0];
  }

  get(key: XdsKey): XdsResource | undefined {
    return this.#served.get(keyText(key));
  }

  /**
   * Whether a resource is on its way, and nothing is served in its place. An extension that a listener names always is: it stands in an object of its own, which may come later.
   */
  isAwaited(key: XdsKey): boolean {
    const id = keyText(key);
    if (this.#served.has(id)) return false;
    const [holder = ''] = this.#holders.get(id) ?? [];
    return key.type === 'extensionConfig' || this.#shards.get(holder)?.entries.get(id)?.awaited === true;
  }

  /** What a caller may have; kept up to date until it is disposed of. */
  view(caller: XdsCaller): CallerView {
    const { secrets } = this.#options;
    const view = new CallerView(caller, {
      get: (key) => (key.type === 'secret' ? secrets?.get(caller, key.name) : this.get(key)),
      isAwaited: (key) =>
        key.type === 'secret' ? (secrets?.isAwaited?.(caller, key.name) ?? false) : this.isAwaited(key),
      foreignSecret: (name) => secrets?.refused?.(caller, name),
      ended: () => void this.#views.delete(view),
    });
    view.root(this.#proxiesOf(caller));
    this.#views.add(view);
    return view;
  }

  /** Secrets of these names are others now. @param whose omitted: everybody's */
  secretsChanged(names: Iterable<string>, whose?: Pick<XdsCaller, 'namespace' | 'serviceAccount'>): void {
    const keys = [...names].map((name): XdsKey => ({ type: 'secret', name }));
    const changed = new Map(keys.map((key) => [keyText(key), key]));
    for (const view of this.#views) {
      const { namespace, serviceAccount } = view.caller;
      if (whose === undefined || (whose.namespace === namespace && whose.serviceAccount === serviceAccount))
        view.changed(changed, { structural: false, roots: false });
    }
  }

  #replace(name: string, before: Shard | undefined, after: Shard | undefined): void {
    if (after === undefined) this.#shards.delete(name);
    else this.#shards.set(name, after);
    const ids = new Set([...(before?.entries.keys() ?? []), ...(after?.entries.keys() ?? [])]);
    const changed = new Map<string, XdsKey>();
    let structural = false;
    for (const id of ids) {
      const [old, entry] = [before?.entries.get(id), after?.entries.get(id)];
      if (old === entry) continue;
      this.#hold(id, name, entry !== undefined);
      const change = this.#serve(id);
      const { type, name: resource } = (entry ?? old) as ShardEntry;
      if (change !== 'none') changed.set(id, { type, name: resource });
      if (change === 'references') structural = true;
    }
    const roots = JSON.stringify(before?.proxies ?? []) !== JSON.stringify(after?.proxies ?? []);
    for (const view of this.#views) {
      if (roots) view.root(this.#proxiesOf(view.caller));
      if (changed.size > 0 || roots) view.changed(changed, { structural, roots });
    }
  }

  #hold(id: string, shard: string, holds: boolean): void {
    const others = (this.#holders.get(id) ?? []).filter((each) => each !== shard);
    const all = holds ? [...others, shard].sort() : others;
    if (all.length === 0) this.#holders.delete(id);
    else this.#holders.set(id, all);
  }

  /** Decides anew what is served under an id. A bad resource leaves its last good one in place; one that is gone does not. */
  #serve(id: string): 'none' | 'content' | 'references' {
    const old = this.#served.get(id);
    const [holder] = this.#holders.get(id) ?? [];
    const entry = holder === undefined ? undefined : this.#shards.get(holder)?.entries.get(id);
    const resource = entry === undefined ? undefined : (entry.resource ?? old);
    if (resource?.version === old?.version) return resource === undefined ? 'content' : 'none';
    if (resource === undefined) this.#served.delete(id);
    else this.#served.set(id, resource);
    const named = (each: XdsResource | undefined): string => JSON.stringify(each?.references);
    return named(old) === named(resource) ? 'content' : 'references';
  }

  #proxiesOf({ namespace, serviceAccount, workload }: XdsCaller): CatalogProxy[] {
    return [...this.#shards.values()].flatMap(({ proxies }) =>
      proxies.filter(
        (proxy) =>
          proxy.namespace === namespace &&
          proxy.serviceAccount === serviceAccount &&
          (proxy.workload === undefined || proxy.workload === workload),
      ),
    );
  }
}
