/**
 * The resources of one identity: those that its listeners and clusters name, and those that these name in turn. Shared
 * by all its streams.
 */
import type { XdsResource } from '../resource.ts';
import type { XdsKey } from '../resource-key.ts';
import type { XdsType } from '../resource-type.ts';
import type { XdsCaller } from './caller.ts';
import type { CatalogProxy } from './shard.ts';
import type { ResourceEntry } from './slot.ts';

/** An entry as scopes see it. */
export type ScopedEntry = ResourceEntry<Scope>;

/** A stream's view on a scope. */
export interface ScopeView {
  /** Called for each change within the view. */
  onChanged: ((keys: readonly XdsKey[]) => void) | undefined;
}

/** Dependencies of a scope on its catalog. */
export interface ScopeHost {
  slotAt(key: XdsKey): ScopedEntry;
  release(slot: ScopedEntry): void;
  secret(caller: XdsCaller, name: string): XdsResource | undefined;
}

interface Member {
  readonly slot: ScopedEntry;
  /** Number of members and roots that name it. */
  held: number;
  /** Its references when they were last read. */
  links: readonly XdsKey[];
}

const NONE: readonly XdsKey[] = [];

/**
 * Members are reference-counted, so that the cost of a change depends on its size. Counts alone would keep an
 * unreachable cycle alive. So if links could form one, the target of a dropped link is searched from the roots again.
 */
export class Scope {
  readonly caller: XdsCaller;
  readonly views: Set<ScopeView> = new Set();
  readonly #host: ScopeHost;
  readonly #members = new Map<XdsType, Map<string, Member>>();
  readonly #pendingUpdates = new Set<ScopedEntry>();
  #roots = new Set<ScopedEntry>();
  /** Links between types that may reference each other. */
  #loops = 0;
  #doubtful = false;

  constructor(caller: XdsCaller, host: ScopeHost) {
    this.caller = caller;
    this.#host = host;
  }

  has(type: XdsType, name: string): boolean {
    return this.#members.get(type)?.has(name) === true;
  }

  get(type: XdsType, name: string): XdsResource | undefined {
    const member = this.#members.get(type)?.get(name);
    if (member === undefined) return undefined;
    return type === 'secret' ? this.#host.secret(this.caller, name) : member.slot.resource;
  }

  /** Names in the scope, existing or not. */
  names(type: XdsType): Iterable<string> {
    return this.#members.get(type)?.keys() ?? [];
  }

  /** Sets its roots. */
  root(proxies: readonly CatalogProxy[]): void {
    const before = this.#roots;
    this.#roots = new Set();
    for (const { listeners, clusters } of proxies) {
      for (const name of listeners) this.#roots.add(this.#host.slotAt({ type: 'listener', name }));
      for (const name of clusters) this.#roots.add(this.#host.slotAt({ type: 'cluster', name }));
    }
    for (const slot of this.#roots) if (!before.has(slot)) this.#hold(slot);
    for (const slot of before) if (!this.#roots.has(slot)) this.#drop(slot.key);
  }

  /** The resource of an entry in the scope changed, or its status did. */
  touched(slot: ScopedEntry): void {
    const member = this.#memberAt(slot.key);
    if (member === undefined) return;
    this.#pendingUpdates.add(slot);
    // Secrets reference nothing.
    if (slot.key.type !== 'secret') this.#link(member);
  }

  /** Ends a change. @returns the keys that streams must check: changed, added or removed */
  settle(): readonly XdsKey[] {
    if (this.#doubtful) this.#sweep();
    if (this.#pendingUpdates.size === 0) return NONE;
    const pendingUpdates = [...this.#pendingUpdates];
    this.#pendingUpdates.clear();
    // Only now: a key that is removed and added again within a change keeps its entry.
    for (const slot of pendingUpdates) this.#host.release(slot);
    return pendingUpdates.map(({ key }) => key);
  }

  /** No stream is left. */
  end(): void {
    for (const names of this.#members.values()) {
      for (const { slot } of names.values()) {
        slot.scopes.delete(this);
        this.#host.release(slot);
      }
    }
    this.#members.clear();
  }

  #memberAt({ type, name }: XdsKey): Member | undefined {
    return this.#members.get(type)?.get(name);
  }

  #hold(first: ScopedEntry): void {
    const todo = [first];
    for (let slot = todo.pop(); slot !== undefined; slot = todo.pop()) {
      const there = this.#memberAt(slot.key);
      if (there !== undefined) {
        there.held++;
        continue;
      }
      const member: Member = { slot, held: 1, links: this.#referencesOf(slot) };
      this.#enter(member);
      for (const key of member.links) todo.push(this.#host.slotAt(key));
    }
  }

  #enter(member: Member): void {
    const { slot, links } = member;
    const { type, name } = slot.key;
    let names = this.#members.get(type);
    if (names === undefined) {
      names = new Map();
      this.#members.set(type, names);
    }
    names.set(name, member);
    slot.scopes.add(this);
    this.#loops += loopsOf(type, links);
    this.#pendingUpdates.add(slot);
  }

  #leave({ slot, links }: Member): void {
    const { type, name } = slot.key;
    this.#members.get(type)?.delete(name);
    slot.scopes.delete(this);
    this.#loops -= loopsOf(type, links);
    this.#pendingUpdates.add(slot);
  }

  #drop(first: XdsKey): void {
    const todo = [first];
    for (let key = todo.pop(); key !== undefined; key = todo.pop()) {
      const member = this.#memberAt(key);
      if (member === undefined) continue;
      member.held--;
      if (member.held > 0) {
        if (this.#loops > 0 && isInLoops(key.type)) this.#doubtful = true;
        continue;
      }
      this.#leave(member);
      todo.push(...member.links);
    }
  }

  /** Follows the current references of a member: new ones first, so that those that stay are never released. */
  #link(member: Member): void {
    const { type } = member.slot.key;
    const [before, after] = [member.links, this.#referencesOf(member.slot)];
    if (isSame(before, after)) return;
    member.links = after;
    this.#loops += loopsOf(type, after) - loopsOf(type, before);
    for (const key of after) this.#hold(this.#host.slotAt(key));
    for (const key of before) this.#drop(key);
  }

  #referencesOf({ key, resource }: ScopedEntry): readonly XdsKey[] {
    const there = key.type === 'secret' ? this.#host.secret(this.caller, key.name) : resource;
    return there?.references ?? NONE;
  }

  /** Releases members that are not reachable from any root. */
  #sweep(): void {
    this.#doubtful = false;
    const reached = new Set<Member>();
    const todo = [...this.#roots].map(({ key }) => key);
    for (let key = todo.pop(); key !== undefined; key = todo.pop()) {
      const member = this.#memberAt(key);
      if (member === undefined || reached.has(member)) continue;
      reached.add(member);
      todo.push(...member.links);
    }
    const lost = [...this.#members.values()].flatMap((names) => [...names.values()].filter((one) => !reached.has(one)));
    for (const member of lost) this.#leave(member);
    for (const { links } of lost) {
      for (const key of links) {
        const member = this.#memberAt(key);
        if (member !== undefined) member.held--;
      }
    }
  }
}

/** Clusters name clusters and, in their filters, extensions; extensions name both. Everything else names downwards. */
function isInLoops(type: XdsType): boolean {
  return type === 'cluster' || type === 'extensionConfig';
}

function loopsOf(type: XdsType, links: readonly XdsKey[]): number {
  return isInLoops(type) ? links.filter((key) => isInLoops(key.type)).length : 0;
}

function isSame(one: readonly XdsKey[], other: readonly XdsKey[]): boolean {
  return (
    one === other ||
    (one.length === other.length &&
      one.every(({ type, name }, at) => type === other[at]?.type && name === other[at]?.name))
  );
}
