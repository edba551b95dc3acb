/** One type on a delta stream: the names that Envoy requests, the versions it has, and the pending updates. */
import type { DeltaDiscoveryRequest } from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import type { DeltaBatch } from './delta-responses.ts';
import { Quarantine } from './quarantine.ts';
import type { Rejection } from './rejection.ts';
import type { XdsResource, XdsView } from './resource.ts';
import { XDS_TYPES, type XdsType } from './resource-type.ts';
import { checkCount, checkName, type XdsLimits } from './stream.ts';

/** All resources, requested by this name or by no name in the first request. */
const ALL = '*';

/** State of one name. It is in one place, so that a change costs each stream one lookup. */
interface Name {
  readonly name: string;
  requested: boolean;
  /** Sent along with its cluster, before Envoy could request it. */
  pushed: boolean;
  /** The version that Envoy is assumed to have: '' if it knows that it is missing, undefined if it was sent nothing. */
  version: string | undefined;
}

export class DeltaSubscription {
  readonly type: XdsType;
  readonly quarantine: Quarantine;
  readonly #view: XdsView;
  readonly #limits: XdsLimits;
  /** Endpoints may be pushed before the first request for any. */
  #begun = false;
  #whole = false;
  /** The first response is due even if it is empty: Envoy continues with listeners only after it. */
  #answerDue = false;
  readonly #names = new Map<string, Name>();
  #requested = 0;
  /** Names to check; undefined without any, as for most streams at most times, which then cost no check. */
  #dirty: Set<Name> | undefined;
  /** Names to check once all new resources have been sent. */
  #going: Set<Name> | undefined;

  constructor(type: XdsType, view: XdsView, limits: XdsLimits) {
    this.type = type;
    this.quarantine = new Quarantine(type);
    this.#view = view;
    this.#limits = limits;
  }

  /** @returns versions by name that Envoy reports from an earlier stream */
  receive(request: DeltaDiscoveryRequest): ReadonlyMap<string, string> {
    if (!this.#begun) return this.#begin(request);
    this.#change(request);
    return NONE;
  }

  changed(name: string): void {
    const known = this.#names.get(name);
    if (known !== undefined) this.#check(known);
    else if (this.#isWhole(name)) this.#check(this.#at(name));
  }

  /** Assumes that Envoy lacks a resource, so that it is sent again, requested or not. */
  sendAgain(name: string): void {
    const known = this.#at(name);
    if (!known.requested) known.pushed = true;
    known.version = undefined;
    this.#check(known);
  }

  stopPushing(name: string): void {
    const known = this.#names.get(name);
    if (known === undefined) return;
    known.pushed = false;
    this.#tidy(known);
  }

  /** New or changed resources, and requested ones that do not exist; undefined without any. */
  takeUpdates(): DeltaBatch | undefined {
    const suspects = this.quarantine.takeSuspects();
    if (suspects === undefined && this.#dirty === undefined && !this.#answerDue) return undefined;
    const resources: XdsResource[] = [];
    const removed: string[] = [];
    for (const known of suspects?.map((name) => this.#at(name)) ?? this.#dirty ?? []) {
      if (resources.length === XDS_TYPES[this.type].together) break;
      this.#markUsed(known);
      this.#report(known, resources, removed);
    }
    if (resources.length + removed.length === 0) {
      // No updates for those; there may be for others.
      if (suspects !== undefined) return this.takeUpdates();
      if (!this.#answerDue) return undefined;
    }
    this.#answerDue = false;
    return { resources, removed };
  }

  /** Resources that Envoy has and must remove. */
  takeRemovals(): DeltaBatch | undefined {
    if (this.#going === undefined) return undefined;
    const gone = [...this.#going].filter(
      (known) => known.version && (!this.#requests(known) || this.#view.get(this.type, known.name) === undefined),
    );
    this.#going = undefined;
    if (gone.length === 0) return undefined;
    for (const known of gone) {
      known.version = known.requested ? '' : undefined;
      this.quarantine.forget(known.name);
      this.#tidy(known);
    }
    return { resources: [], removed: gone.map(({ name }) => name) };
  }

  /**
   * Envoy rejected a response. It may have applied a part of it or nothing, so all of it counts as unsent; removals are
   * always applied.
   */
  refused(text: string, sent: ReadonlyMap<string, string>): Rejection {
    const resources = new Map([...sent].filter(([, version]) => version !== ''));
    const { rejection } = this.quarantine.refuse(text, resources);
    for (const [name, version] of resources) {
      const known = this.#names.get(name);
      if (known?.version !== version) continue;
      // An earlier version of a rejected resource may be in use, so its removal must be sent later.
      if (rejection.versions.has(name)) continue;
      known.version = REFUSED;
      if (!this.quarantine.hasSuspects) this.#check(known);
    }
    return rejection;
  }

  #check(known: Name): void {
    this.#dirty ??= new Set();
    this.#dirty.add(known);
  }

  #markUsed(known: Name): void {
    if (this.#dirty?.delete(known) && this.#dirty.size === 0) this.#dirty = undefined;
  }

  /** Decides which update a name needs now. */
  #report(known: Name, resources: XdsResource[], removed: string[]): void {
    const { name, version } = known;
    const resource = this.#requests(known) ? this.#view.get(this.type, name) : undefined;
    if (resource !== undefined) {
      if (version === resource.version || this.quarantine.holds(name, resource.version)) return;
      resources.push(resource);
      known.version = resource.version;
    } else if (this.#view.isAwaited?.(this.type, name) === true) {
      // Envoy continues with its current version, or with its default after its own timeout.
    } else if (version) {
      this.#going ??= new Set();
      this.#going.add(known);
    } else if (known.requested && version === undefined) {
      removed.push(name);
      known.version = '';
    } else this.#tidy(known);
  }

  /** The first request of the type: it may report versions from an earlier stream. */
  #begin(request: DeltaDiscoveryRequest): ReadonlyMap<string, string> {
    const { resourceNamesSubscribe: names, initialResourceVersions: versions } = request;
    this.#begun = true;
    if (XDS_TYPES[this.type].whole && names.length === 0) this.#requestAll();
    this.#change(request);
    const all = Object.entries(versions);
    checkCount(all.length, this.#limits);
    for (const [name, version] of all) {
      checkName(name, this.#limits);
      const known = this.#at(name);
      // The earlier stream may have broken between a cluster and its endpoints; a cluster that waits for them does not
      // report it.
      if (this.type !== 'clusterLoadAssignment') known.version = version;
      this.#check(known);
    }
    return new Map(Object.entries(versions));
  }

  #change({ resourceNamesSubscribe, resourceNamesUnsubscribe }: DeltaDiscoveryRequest): void {
    for (const name of resourceNamesUnsubscribe) this.#forgo(name);
    for (const name of resourceNamesSubscribe) {
      if (name === ALL) this.#requestAll();
      else this.#ask(name);
    }
  }

  /**
   * A request for a resource that Envoy already has means: send it again. A pushed one may have arrived before Envoy
   * was ready for it.
   */
  #ask(name: string): void {
    checkName(name, this.#limits);
    const known = this.#at(name);
    if (!known.requested) this.#requested++;
    known.requested = true;
    known.pushed = false;
    known.version = undefined;
    this.#check(known);
    checkCount(this.#requested, this.#limits);
  }

  #requestAll(): void {
    this.#whole = true;
    this.#answerDue = true;
    for (const name of this.#view.listed(this.type)) this.#check(this.#at(name));
  }

  /** Envoy itself drops resources that it no longer requests. */
  #forgo(name: string): void {
    if (name === ALL) this.#whole = false;
    const known = this.#names.get(name);
    if (known === undefined) return;
    if (known.requested) this.#requested--;
    known.requested = false;
    known.pushed = false;
    if (this.#requests(known)) return;
    known.version = undefined;
    this.#markUsed(known);
    this.#tidy(known);
  }

  #at(name: string): Name {
    const there = this.#names.get(name);
    if (there !== undefined) return there;
    // The view's own string, if it has one: the string of a request would be stored per stream, and compared character
    // by character. Not for secrets: a request for a foreign secret must be reported.
    const own = this.type === 'secret' ? name : (this.#view.get(this.type, name)?.name ?? name);
    const made: Name = { name: own, requested: false, pushed: false, version: undefined };
    this.#names.set(own, made);
    return made;
  }

  /** Removes a name without any state. */
  #tidy(known: Name): void {
    const { name, requested, pushed, version } = known;
    if (!requested && !pushed && version === undefined && !this.#dirty?.has(known)) this.#names.delete(name);
  }

  #requests({ name, requested, pushed }: Name): boolean {
    return requested || pushed || this.#isWhole(name);
  }

  #isWhole(name: string): boolean {
    return this.#whole && this.#view.isListed(this.type, name);
  }
}

const NONE: ReadonlyMap<string, string> = new Map();
/** Instead of a version: Envoy may have it or not, so it differs from any. */
const REFUSED = '\0refused';
