/** State-of-the-world xDS: clusters and listeners as complete lists, all other types incrementally. */
import { create } from '@bufbuild/protobuf';
import {
  type DiscoveryRequest,
  type DiscoveryResponse,
  DiscoveryResponseSchema,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import type { Rejection } from './rejection.ts';
import type { Hash, XdsResource } from './resource.ts';
import type { XdsKey } from './resource-key.ts';
import { XDS_ORDER, XDS_TYPES, type XdsType, xdsTypeOf } from './resource-type.ts';
import { type SotwBatch, SotwSubscription } from './sotw-subscription.ts';
import { DEFAULT_XDS_LIMITS, type XdsLimits, type XdsStream, type XdsStreamOptions } from './stream.ts';

/** Of the types with complete lists, those that reference others are removed first. */
const REMOVAL_ORDER: readonly XdsType[] = [
  'listener',
  'routeConfiguration',
  'extensionConfig',
  'secret',
  'clusterLoadAssignment',
  'cluster',
];

/** The state-of-the-world stream of one Envoy. */
export class SotwStream implements XdsStream<DiscoveryRequest, DiscoveryResponse> {
  readonly #options: XdsStreamOptions & { readonly hash: Hash };
  readonly #limits: XdsLimits;
  readonly #types = new Map<XdsType, SotwSubscription>();
  #nonce = 0;

  constructor(options: XdsStreamOptions & { readonly hash: Hash }) {
    this.#options = options;
    this.#limits = { ...DEFAULT_XDS_LIMITS, ...options.limits };
  }

  receive(request: DiscoveryRequest): void {
    const type = xdsTypeOf(request.typeUrl);
    if (type === undefined) return;
    const subscription = this.#subscription(type);
    if (subscription.begun) this.#answered(subscription, request);
    else subscription.begin(request);
  }

  changed(keys: Iterable<XdsKey>): void {
    for (const { type, name } of keys) this.#types.get(type)?.changed(name);
  }

  next(): DiscoveryResponse | undefined {
    for (const type of XDS_ORDER) {
      const subscription = this.#types.get(type);
      const batch = subscription?.takeUpdates();
      if (subscription !== undefined && batch !== undefined) return this.#response(subscription, batch);
      // Later types may reference resources that must wait.
      if (subscription?.waits) return undefined;
    }
    for (const type of REMOVAL_ORDER) {
      const subscription = this.#types.get(type);
      const batch = subscription?.takeRemovals();
      if (subscription !== undefined && batch !== undefined) return this.#response(subscription, batch);
    }
    return undefined;
  }

  rejections(): Rejection[] {
    return [...this.#types.values()].flatMap(({ quarantine }) => quarantine.rejections());
  }

  get isIdle(): boolean {
    return [...this.#types.values()].every(({ isIdle }) => isIdle);
  }

  #answered(subscription: SotwSubscription, request: DiscoveryRequest): void {
    const answer = subscription.answered(request);
    if (answer === 'nothing') return;
    if ('accepted' in answer) this.#options.onAccepted?.(subscription.type, answer.accepted);
    else this.#options.onRejected?.(answer);
  }

  #response(subscription: SotwSubscription, { resources, pendingUpdates, removed }: SotwBatch): DiscoveryResponse {
    const { type } = subscription;
    this.#nonce += 1;
    const nonce = String(this.#nonce);
    subscription.sent(nonce, resources);
    if (type === 'cluster') this.#sendEndpointsAgain(pendingUpdates, removed);
    const sorted = [...resources].sort((a, b) => (a.name < b.name ? -1 : 1));
    const text = sorted.map(({ name, version }) => `${name}\0${version}\0`).join('');
    return create(DiscoveryResponseSchema, {
      typeUrl: XDS_TYPES[type].typeUrl,
      versionInfo: this.#options.hash(new TextEncoder().encode(text)),
      nonce,
      resources: sorted.map(({ any }) => any),
    });
  }

  /** As on a delta stream, although here Envoy would request them later. */
  #sendEndpointsAgain(clusters: readonly XdsResource[], removed: readonly string[]): void {
    const endpoints = this.#subscription(ENDPOINTS);
    for (const { references } of clusters) {
      for (const { type, name } of references) if (type === ENDPOINTS) endpoints.sendAgain(name);
    }
    for (const name of removed) endpoints.stopPushing(name);
  }

  #subscription(type: XdsType): SotwSubscription {
    const there = this.#types.get(type);
    if (there !== undefined) return there;
    const made = new SotwSubscription(type, this.#options.view, this.#limits);
    this.#types.set(type, made);
    return made;
  }
}

const ENDPOINTS = 'clusterLoadAssignment';
