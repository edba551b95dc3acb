/**
 * One type on a state-of-the-world stream: the names that Envoy requests, the versions it has, and the pending updates.
 */
import type { DiscoveryRequest } from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import { Quarantine } from './quarantine.ts';
import type { Rejection } from './rejection.ts';
import type { XdsResource, XdsView } from './resource.ts';
import { XDS_TYPES, type XdsType } from './resource-type.ts';
import { ask, type XdsLimits } from './stream.ts';

const ALL = '*';

/** Content of one response, and its updates. */
export interface SotwBatch {
  readonly resources: readonly XdsResource[];
  readonly pendingUpdates: readonly XdsResource[];
  readonly removed: readonly string[];
}

/** Accepted versions, by name. */
export interface Accepted {
  readonly accepted: ReadonlyMap<string, string>;
}

export class SotwSubscription {
  readonly type: XdsType;
  readonly quarantine: Quarantine;
  readonly #view: XdsView;
  readonly #limits: XdsLimits;
  /** Resources missing in a response are removed; for other types a response affects only its own resources. */
  readonly #complete: boolean;
  /** Endpoints may be pushed before the first request for any. */
  #begun = false;
  #all = false;
  #request = new Set<string>();
  readonly #pushed = new Set<string>();
  /** The versions that Envoy is assumed to have. */
  readonly #has = new Map<string, XdsResource>();
  /** Accepted versions, which replace rejected ones. */
  readonly #good = new Map<string, XdsResource>();
  readonly #dirty = new Set<string>();
  readonly #going = new Set<string>();
  #due = false;
  #nonce = '';
  /** Content of each response by its nonce, until it is answered. */
  readonly #unanswered = new Map<string, readonly XdsResource[]>();
  /** Rejected, and possibly present in a version that was accepted on an earlier stream. */
  readonly #perhaps = new Set<string>();

  constructor(type: XdsType, view: XdsView, limits: XdsLimits) {
    this.type = type;
    this.quarantine = new Quarantine(type);
    this.#view = view;
    this.#limits = limits;
    this.#complete = XDS_TYPES[type].whole;
  }

  get begun(): boolean {
    return this.#begun;
  }

  begin({ resourceNames }: DiscoveryRequest): void {
    this.#begun = true;
    this.#unanswered.clear();
    this.#all = this.#complete && (resourceNames.length === 0 || resourceNames.includes(ALL));
    if (this.#all) for (const name of this.#view.listed(this.type)) this.#dirty.add(name);
    this.#requestName(resourceNames);
    this.#due = this.#complete;
  }

  /** A later request. One with an unknown or already answered nonce only changes names. */
  answered(request: DiscoveryRequest): 'nothing' | Accepted | Rejection {
    const { responseNonce, resourceNames, errorDetail } = request;
    const held = this.#unanswered.get(responseNonce);
    const isLast = responseNonce === this.#nonce;
    const sameNames = isLast && !this.#requestName(resourceNames);
    if (held === undefined) {
      if (sameNames) this.#sendAll();
      return 'nothing';
    }
    this.#unanswered.delete(responseNonce);
    // Versions accepted earlier are not affected by it.
    const pendingUpdates = held.filter((resource) => this.#good.get(resource.name) !== resource);
    if (errorDetail !== undefined) return this.#refused(errorDetail.message, pendingUpdates, held);
    for (const resource of pendingUpdates) this.#good.set(resource.name, resource);
    return { accepted: new Map(pendingUpdates.map(({ name, version }) => [name, version])) };
  }

  /** Whether updates wait for an answer; until then resources that may lose a reference are not removed. */
  get waits(): boolean {
    return !this.#complete && this.#unanswered.size > 0 && this.#dirty.size > 0;
  }

  /** Whether nothing is left to send or to be answered. */
  get isIdle(): boolean {
    return this.#unanswered.size === 0 && this.#dirty.size === 0 && !this.#due;
  }

  changed(name: string): void {
    if (this.#requests(name) || this.#has.has(name) || this.#perhaps.has(name)) this.#dirty.add(name);
  }

  /** For a type without a subscription, Envoy ignores responses and does not answer them. */
  sendAgain(name: string): void {
    if (this.#request.size === 0) return;
    if (!this.#request.has(name)) this.#pushed.add(name);
    this.#has.delete(name);
    this.#dirty.add(name);
  }

  stopPushing(name: string): void {
    this.#pushed.delete(name);
  }

  sent(nonce: string, resources: readonly XdsResource[]): void {
    this.#nonce = nonce;
    this.#unanswered.set(nonce, resources);
    const [oldest] = this.#unanswered.keys();
    if (this.#unanswered.size > this.#limits.unanswered && oldest !== undefined) this.#unanswered.delete(oldest);
  }

  /** New or changed resources; for types with complete lists also all others, including those to be removed. */
  takeUpdates(): SotwBatch | undefined {
    const pendingUpdates = this.#takePending();
    if (pendingUpdates.length === 0 && !this.#due) return undefined;
    this.#due = false;
    for (const resource of pendingUpdates) this.#has.set(resource.name, resource);
    return { resources: this.#complete ? [...this.#has.values()] : pendingUpdates, pendingUpdates, removed: [] };
  }

  /** Only for types with complete lists: all resources without the removed ones. Other types cannot express absence. */
  takeRemovals(): SotwBatch | undefined {
    const removed = [...this.#going].filter((name) => this.#requested(name) === undefined);
    this.#going.clear();
    for (const name of removed) {
      this.#has.delete(name);
      this.#good.delete(name);
      this.#perhaps.delete(name);
      this.quarantine.forget(name);
    }
    if (removed.length === 0 || !this.#complete) return undefined;
    return { resources: [...this.#has.values()], pendingUpdates: [], removed };
  }

  #takePending(): XdsResource[] {
    // An answer names only the last response, so a type without complete lists has one pending response at a time.
    if (!this.#complete && this.#unanswered.size > 0) return [];
    const suspects = this.#unanswered.size === 0 ? this.quarantine.takeSuspects() : undefined;
    if (suspects === undefined && this.quarantine.hasSuspects) return [];
    const pendingUpdates: XdsResource[] = [];
    for (const name of suspects ?? this.#dirty) {
      if (pendingUpdates.length === XDS_TYPES[this.type].together) break;
      this.#dirty.delete(name);
      const resource = this.#requested(name);
      if (resource === undefined) {
        if (this.#has.has(name) || this.#perhaps.has(name)) this.#going.add(name);
      } else if (this.#has.get(name)?.version !== resource.version && !this.quarantine.holds(name, resource.version)) {
        pendingUpdates.push(resource);
      }
    }
    return pendingUpdates.length === 0 && this.quarantine.hasSuspects ? this.#takePending() : pendingUpdates;
  }

  /**
   * A rejected version is replaced by the version accepted before it. If that is unknown, because it was on an earlier
   * stream, the rejected one stays in the list. Without it Envoy would drop its current version; with it Envoy rejects
   * again and keeps it. This does not apply if Envoy names no resource, since it then applies nothing of such a list.
   */
  #refused(text: string, pendingUpdates: readonly XdsResource[], held: readonly XdsResource[]): Rejection {
    const versions = new Map(pendingUpdates.map(({ name, version }) => [name, version]));
    const { rejection, unclear, named } = this.quarantine.refuse(
      text,
      versions,
      held.map(({ name }) => name),
    );
    for (const resource of pendingUpdates) {
      const { name } = resource;
      if (!unclear && !rejection.versions.has(name)) {
        this.#good.set(name, resource);
        continue;
      }
      if (this.#has.get(name) !== resource) continue;
      const good = this.#good.get(name);
      if (good !== undefined) this.#has.set(name, good);
      else if (!named) {
        this.#has.delete(name);
        this.#perhaps.add(name);
      }
    }
    return rejection;
  }

  #sendAll(): void {
    for (const name of this.#request) this.sendAgain(name);
    this.#due = this.#complete;
  }

  /** @returns whether there are newly requested names */
  #requestName(names: readonly string[]): boolean {
    const before = this.#request;
    this.#request = new Set();
    let grew = false;
    for (const name of names) {
      if (name === ALL) continue;
      ask(this.#request, name, this.#limits);
      if (before.has(name)) continue;
      grew = true;
      this.#pushed.delete(name);
      this.#has.delete(name);
      this.#dirty.add(name);
    }
    for (const name of before) if (!this.#requests(name)) this.#forgo(name);
    return grew || before.size !== this.#request.size;
  }

  #forgo(name: string): void {
    if (this.#complete) {
      this.#dirty.add(name);
      return;
    }
    this.#has.delete(name);
    this.#good.delete(name);
    this.#dirty.delete(name);
  }

  #requested(name: string): XdsResource | undefined {
    return this.#requests(name) ? this.#view.get(this.type, name) : undefined;
  }

  #requests(name: string): boolean {
    return this.#request.has(name) || this.#pushed.has(name) || (this.#all && this.#view.isListed(this.type, name));
  }
}
