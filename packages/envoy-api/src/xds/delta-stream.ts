/**
 * Delta xDS: sends each resource that differs from Envoy's version, and again where Envoy would wait for it without a
 * request.
 */
import type { DeltaDiscoveryRequest, DeltaDiscoveryResponse } from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import { type DeltaBatch, DeltaResponses } from './delta-responses.ts';
import { DeltaSubscription } from './delta-subscription.ts';
import type { Rejection } from './rejection.ts';
import type { XdsKey } from './resource-key.ts';
import { XDS_ORDER, type XdsType, xdsTypeOf } from './resource-type.ts';
import { DEFAULT_XDS_LIMITS, type XdsLimits, type XdsStream, type XdsStreamOptions } from './stream.ts';
import { Unanswered } from './unanswered.ts';

export interface DeltaStreamOptions extends XdsStreamOptions {
  /** Those of all streams of a server. Default: its own. */
  readonly responses?: DeltaResponses | undefined;
}

/** Removals come after all changes that may have dropped the last reference: listeners first, clusters last. */
const REMOVAL_ORDER: readonly XdsType[] = [
  'listener',
  'routeConfiguration',
  'extensionConfig',
  'secret',
  'clusterLoadAssignment',
  'cluster',
];

/** The delta stream of one Envoy. */
export class DeltaStream implements XdsStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> {
  readonly #options: DeltaStreamOptions;
  readonly #limits: XdsLimits;
  readonly #responses: DeltaResponses;
  readonly #types = new Map<XdsType, DeltaSubscription>();
  /** Subscriptions that may have updates, in sending order: a change costs nothing for the others. */
  #due: readonly DeltaSubscription[] = NONE;
  readonly #unanswered: Unanswered;

  constructor(options: DeltaStreamOptions) {
    this.#options = options;
    this.#responses = options.responses ?? new DeltaResponses();
    this.#limits = { ...DEFAULT_XDS_LIMITS, ...options.limits };
    this.#unanswered = new Unanswered(this.#limits.unanswered);
  }

  receive(request: DeltaDiscoveryRequest): void {
    const type = xdsTypeOf(request.typeUrl);
    if (type === undefined) return;
    const subscription = this.#subscription(type);
    const known = subscription.receive(request);
    this.#isDue(subscription);
    if (known.size > 0) this.#options.onKnown?.(type, known);
    if (request.responseNonce !== '') this.#answered(subscription, request);
  }

  changed(keys: Iterable<XdsKey>): void {
    for (const { type, name } of keys) {
      const subscription = this.#types.get(type);
      if (subscription === undefined) continue;
      subscription.changed(name);
      this.#isDue(subscription);
    }
  }

  next(): DeltaDiscoveryResponse | undefined {
    for (const subscription of this.#due) {
      const batch = subscription.takeUpdates();
      if (batch !== undefined) return this.#response(subscription.type, batch);
    }
    for (const subscription of inOrder(REMOVAL_ORDER, this.#due)) {
      const batch = subscription.takeRemovals();
      if (batch !== undefined) return this.#response(subscription.type, batch);
    }
    this.#due = NONE;
    return undefined;
  }

  rejections(): Rejection[] {
    return [...this.#types.values()].flatMap(({ quarantine }) => quarantine.rejections());
  }

  get isIdle(): boolean {
    return this.#due.length === 0 && this.#unanswered.isEmpty;
  }

  #answered(subscription: DeltaSubscription, { responseNonce, errorDetail }: DeltaDiscoveryRequest): void {
    const { type } = subscription;
    const sentResponse = this.#unanswered.take(responseNonce, type);
    if (sentResponse === undefined) return;
    const { versions } = sentResponse;
    if (errorDetail === undefined) {
      this.#options.onAccepted?.(type, versions);
      return;
    }
    const rejection = subscription.refused(errorDetail.message, versions);
    this.#options.onRejected?.(rejection);
  }

  #response(type: XdsType, batch: DeltaBatch): DeltaDiscoveryResponse {
    const { sentResponse, message } = this.#responses.of(type, batch, this.#unanswered.latest);
    this.#unanswered.add(sentResponse);
    if (type === 'cluster') this.#sendEndpointsAgain(batch);
    return message;
  }

  /**
   * A changed cluster becomes active only when endpoints arrive after it, and Envoy does not request endpoints it
   * already has. Those of a new cluster are sent along too, so that it is active before its routes arrive.
   */
  #sendEndpointsAgain({ resources: clusters, removed }: DeltaBatch): void {
    const endpoints = this.#subscription(ENDPOINTS);
    this.#isDue(endpoints);
    for (const { references } of clusters) {
      for (const { type, name } of references) if (type === ENDPOINTS) endpoints.sendAgain(name);
    }
    for (const name of removed) endpoints.stopPushing(name);
  }

  #subscription(type: XdsType): DeltaSubscription {
    const there = this.#types.get(type);
    if (there !== undefined) return there;
    const made = new DeltaSubscription(type, this.#options.view, this.#limits);
    this.#types.set(type, made);
    return made;
  }

  #isDue(subscription: DeltaSubscription): void {
    if (!this.#due.includes(subscription)) this.#due = inOrder(XDS_ORDER, [...this.#due, subscription]);
  }
}

const ENDPOINTS = 'clusterLoadAssignment';
const NONE: readonly DeltaSubscription[] = [];

function inOrder(order: readonly XdsType[], all: readonly DeltaSubscription[]): readonly DeltaSubscription[] {
  if (all.length < 2) return all;
  return all.toSorted((one, other) => order.indexOf(one.type) - order.indexOf(other.type));
}
