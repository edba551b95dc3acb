/** One type on a delta stream: what Envoy asks for, what it has, and what is still to be said. */
import type { DeltaDiscoveryRequest } from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import type { DeltaBatch } from './delta-stream.ts';
import { Quarantine } from './quarantine.ts';
import type { Rejection } from './rejection.ts';
import type { XdsResource, XdsView } from './resource.ts';
import { XDS_TYPES, type XdsType } from './resource-type.ts';
import { ask, type XdsLimits } from './stream.ts';

/** All there are, asked for by this name or by none in the first request. */
const ALL = '*';

export class DeltaSubscription {
  readonly type: XdsType;
  readonly quarantine: Quarantine;
  readonly #view: XdsView;
  readonly #limits: XdsLimits;
  /** Endpoints may be pushed before the first request for any. */
  #begun = false;
  #whole = false;
  /** The first answer is due even when there is nothing to tell: Envoy goes on to listeners after it. */
  #answerDue = false;
  readonly #asked = new Set<string>();
  /** Sent along with their cluster, before Envoy could ask. */
  readonly #pushed = new Set<string>();
  /** What Envoy is believed to have: versions by name, '' for what it knows to be missing. */
  readonly #has = new Map<string, string>();
  /** Names to look at. */
  readonly #dirty = new Set<string>();
  /** Names to look at once everything that is new has been sent. */
  readonly #going = new Set<string>();

  constructor(type: XdsType, view: XdsView, limits: XdsLimits) {
    this.type = type;
    this.quarantine = new Quarantine(type);
    this.#view = view;
    this.#limits = limits;
  }

  receive(request: DeltaDiscoveryRequest): void {
    if (this.#begun) this.#change(request);
    else this.#begin(request);
  }

  changed(name: string): void {
    if (this.#has.has(name) || this.#wants(name)) this.#dirty.add(name);
  }

  /** Forgets that Envoy has a resource, so that it is sent once more, asked for or not. */
  sendAgain(name: string): void {
    if (!this.#asked.has(name)) this.#pushed.add(name);
    this.#has.delete(name);
    this.#dirty.add(name);
  }

  stopPushing(name: string): void {
    this.#pushed.delete(name);
  }

  /** What is new or changed, and what was asked for and is not there; undefined when there is nothing to say. */
  takeUpdates(): DeltaBatch | undefined {
    // Asked of every type for every change: mostly there is nothing.
    if (this.#dirty.size === 0 && !this.#answerDue && !this.quarantine.hasSuspects) return undefined;
    const resources: XdsResource[] = [];
    const removed: string[] = [];
    const suspects = this.quarantine.takeSuspects();
    for (const name of suspects ?? this.#dirty) {
      if (resources.length === XDS_TYPES[this.type].together) break;
      this.#dirty.delete(name);
      const resource = this.#wants(name) ? this.#view.get(this.type, name) : undefined;
      if (resource !== undefined) {
        if (this.#differs(resource)) resources.push(resource);
      } else if (this.#view.isAwaited?.(this.type, name) === true) {
        // Envoy goes on with what it has, or with its default once it has waited long enough.
      } else if (this.#has.get(name)) {
        this.#going.add(name);
      } else if (this.#asked.has(name) && !this.#has.has(name)) {
        removed.push(name);
      }
    }
    if (resources.length + removed.length === 0) {
      if (this.quarantine.hasSuspects) return this.takeUpdates();
      if (!this.#answerDue) return undefined;
    }
    this.#answerDue = false;
    for (const { name, version } of resources) this.#has.set(name, version);
    for (const name of removed) this.#has.set(name, '');
    return { resources, removed };
  }

  /** What Envoy has and must no longer have. */
  takeRemovals(): DeltaBatch | undefined {
    if (this.#going.size === 0) return undefined;
    const removed = [...this.#going].filter(
      (name) => this.#has.get(name) && (!this.#wants(name) || this.#view.get(this.type, name) === undefined),
    );
    this.#going.clear();
    if (removed.length === 0) return undefined;
    for (const name of removed) {
      if (this.#asked.has(name)) this.#has.set(name, '');
      else this.#has.delete(name);
      this.quarantine.forget(name);
    }
    return { resources: [], removed };
  }

  /**
   * Envoy refused a response. It may have taken a part of it or none, so all of it counts as unsent; removals it always carries out.
   */
  refused(text: string, sent: ReadonlyMap<string, string>): Rejection {
    const resources = new Map([...sent].filter(([, version]) => version !== ''));
    const { rejection } = this.quarantine.refuse(text, resources);
    for (const [name, version] of resources) {
      if (this.#has.get(name) !== version) continue;
      // Of what was refused an earlier version may be in use, so its removal must be told one day.
      if (rejection.versions.has(name)) continue;
      this.#has.set(name, REFUSED);
      if (!this.quarantine.hasSuspects) this.#dirty.add(name);
    }
    return rejection;
  }

  #differs({ name, version }: XdsResource): boolean {
    return this.#has.get(name) !== version && !this.quarantine.holds(name, version);
  }

  /** The first request of the type: it may tell what Envoy has from an earlier stream. */
  #begin(request: DeltaDiscoveryRequest): void {
    const { resourceNamesSubscribe: names, initialResourceVersions: versions } = request;
    this.#begun = true;
    if (XDS_TYPES[this.type].whole && names.length === 0) this.#askAll();
    this.#change(request);
    const known = new Set<string>();
    for (const [name, version] of Object.entries(versions)) {
      ask(known, name, this.#limits);
      // The stream before may have broken between a cluster and its endpoints: a cluster that waits for them does not say so.
      if (this.type !== 'clusterLoadAssignment') this.#has.set(name, version);
      this.#dirty.add(name);
    }
  }

  #change({ resourceNamesSubscribe, resourceNamesUnsubscribe }: DeltaDiscoveryRequest): void {
    for (const name of resourceNamesUnsubscribe) this.#forgo(name);
    for (const name of resourceNamesSubscribe) {
      if (name === ALL) this.#askAll();
      else this.#ask(name);
    }
  }

  /** Asking for what one has means: send it again. What was pushed may have come before Envoy was ready for it. */
  #ask(name: string): void {
    ask(this.#asked, name, this.#limits);
    this.#pushed.delete(name);
    this.#has.delete(name);
    this.#dirty.add(name);
  }

  #askAll(): void {
    this.#whole = true;
    this.#answerDue = true;
    for (const name of this.#view.listed(this.type)) this.#dirty.add(name);
  }

  /** Envoy drops by itself what it no longer asks for. */
  #forgo(name: string): void {
    if (name === ALL) this.#whole = false;
    this.#asked.delete(name);
    this.#pushed.delete(name);
    if (this.#wants(name)) return;
    this.#has.delete(name);
    this.#dirty.delete(name);
  }

  #wants(name: string): boolean {
    return this.#asked.has(name) || this.#pushed.has(name) || (this.#whole && this.#view.isListed(this.type, name));
  }
}

/** In place of a version: Envoy may have it or not, so it differs from any. */
const REFUSED = '\0refused';
