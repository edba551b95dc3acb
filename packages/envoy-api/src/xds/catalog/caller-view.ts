/** What one caller may have: what its listeners and clusters name, and what those name in turn. */
import { keyText, type XdsKey, type XdsResource, type XdsView } from '../resource.ts';
import { XDS_TYPES, type XdsType } from '../resource-type.ts';
import type { XdsCaller } from './catalog.ts';
import type { CatalogProxy } from './shard.ts';

export interface CallerViewHost {
  get(key: XdsKey): XdsResource | undefined;
  isAwaited(key: XdsKey): boolean;
  /** It asked for a secret that nothing of its own names. */
  foreignSecret(name: string): void;
  ended(): void;
}

export class CallerView implements XdsView, Disposable {
  readonly caller: XdsCaller;
  /** Told of each change within the view. */
  onChanged: ((keys: readonly XdsKey[]) => void) | undefined;
  readonly #host: CallerViewHost;
  #roots: readonly XdsKey[] = [];
  /** Everything that may be had, existing or not. */
  #members = new Map<string, XdsKey>();

  constructor(caller: XdsCaller, host: CallerViewHost) {
    this.caller = caller;
    this.#host = host;
  }

  get(type: XdsType, name: string): XdsResource | undefined {
    const key = { type, name };
    if (this.#members.has(keyText(key))) return this.#host.get(key);
    if (type === 'secret') this.#host.foreignSecret(name);
    return undefined;
  }

  isAwaited(type: XdsType, name: string): boolean {
    const key = { type, name };
    return this.#members.has(keyText(key)) && this.#host.isAwaited(key);
  }

  *listed(type: XdsType): Iterable<string> {
    for (const key of this.#members.values()) if (key.type === type && this.isListed(type, key.name)) yield key.name;
  }

  isListed(type: XdsType, name: string): boolean {
    return XDS_TYPES[type].whole && this.get(type, name) !== undefined;
  }

  /** Sets what it starts from, for whoever looks from now on. */
  root(proxies: readonly CatalogProxy[]): void {
    this.#roots = proxies.flatMap(({ listeners, clusters }) => [
      ...listeners.map((name): XdsKey => ({ type: 'listener', name })),
      ...clusters.map((name): XdsKey => ({ type: 'cluster', name })),
    ]);
    if (this.#members.size === 0) this.#members = this.#closure();
  }

  /**
   * Takes note of changes anywhere: what is not in the view does not concern it, nor what that names.
   * @param changed by their texts
   * @param structural whether what names what may have changed
   * @param roots whether what it starts from may have
   */
  changed(changed: ReadonlyMap<string, XdsKey>, { structural, roots }: { structural: boolean; roots: boolean }): void {
    const before = this.#members;
    const touched = [...changed.keys()].some((id) => before.has(id));
    if (roots || (structural && touched)) this.#members = this.#closure();
    else if (!touched) return;
    const after = this.#members;
    const moved = after === before ? [] : [...difference(before, after), ...difference(after, before)];
    const own = [...changed].filter(([id]) => before.has(id) || after.has(id)).map(([, key]) => key);
    if (own.length + moved.length > 0) this.onChanged?.([...own, ...moved]);
  }

  [Symbol.dispose](): void {
    this.#host.ended();
  }

  #closure(): Map<string, XdsKey> {
    const found = new Map<string, XdsKey>();
    const todo = [...this.#roots];
    for (let key = todo.pop(); key !== undefined; key = todo.pop()) {
      const id = keyText(key);
      if (found.has(id)) continue;
      found.set(id, key);
      todo.push(...(this.#host.get(key)?.references ?? []));
    }
    return found;
  }
}

function difference(from: ReadonlyMap<string, XdsKey>, without: ReadonlyMap<string, XdsKey>): XdsKey[] {
  return [...from].filter(([id]) => !without.has(id)).map(([, key]) => key);
}
