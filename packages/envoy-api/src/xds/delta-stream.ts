/** Delta xDS: each resource is sent when it differs from what Envoy has, and once more where Envoy would wait for it without asking. */
import { create } from '@bufbuild/protobuf';
import {
  type DeltaDiscoveryRequest,
  type DeltaDiscoveryResponse,
  DeltaDiscoveryResponseSchema,
  type Resource,
  ResourceSchema,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import { DeltaSubscription } from './delta-subscription.ts';
import type { Rejection } from './rejection.ts';
import type { XdsKey, XdsResource } from './resource.ts';
import { XDS_ORDER, XDS_TYPES, type XdsType, xdsTypeOf } from './resource-type.ts';
import { DEFAULT_XDS_LIMITS, type XdsLimits, type XdsStream, type XdsStreamOptions } from './stream.ts';

interface Unanswered {
  readonly type: XdsType;
  /** '' for what was said to be gone. */
  readonly versions: ReadonlyMap<string, string>;
}

/** What goes into one response. */
export interface DeltaBatch {
  readonly resources: readonly XdsResource[];
  readonly removed: readonly string[];
}

/** Removals come after everything that may have stopped using what goes: listeners first, clusters last. */
const REMOVAL_ORDER: readonly XdsType[] = [
  'listener',
  'routeConfiguration',
  'extensionConfig',
  'secret',
  'clusterLoadAssignment',
  'cluster',
];

/** One Envoy's delta stream. */
export class DeltaStream implements XdsStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> {
  readonly #options: XdsStreamOptions;
  readonly #limits: XdsLimits;
  readonly #types = new Map<XdsType, DeltaSubscription>();
  readonly #unanswered = new Map<string, Unanswered>();
  #nonce = 0;

  constructor(options: XdsStreamOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_XDS_LIMITS, ...options.limits };
  }

  receive(request: DeltaDiscoveryRequest): void {
    const type = xdsTypeOf(request.typeUrl);
    if (type === undefined) return;
    let subscription = this.#types.get(type);
    if (subscription === undefined) {
      subscription = new DeltaSubscription(type, this.#options.view, this.#limits);
      this.#types.set(type, subscription);
    }
    subscription.receive(request);
    if (request.responseNonce !== '') this.#answered(subscription, request);
  }

  changed(keys: Iterable<XdsKey>): void {
    for (const { type, name } of keys) this.#types.get(type)?.changed(name);
  }

  next(): DeltaDiscoveryResponse | undefined {
    for (const type of XDS_ORDER) {
      const batch = this.#types.get(type)?.takeUpdates();
      if (batch !== undefined) return this.#response(type, batch);
    }
    for (const type of REMOVAL_ORDER) {
      const batch = this.#types.get(type)?.takeRemovals();
      if (batch !== undefined) return this.#response(type, batch);
    }
    return undefined;
  }

  rejections(): Rejection[] {
    return [...this.#types.values()].flatMap(({ quarantine }) => quarantine.rejections());
  }

  #answered(subscription: DeltaSubscription, { responseNonce, errorDetail }: DeltaDiscoveryRequest): void {
    const answered = this.#unanswered.get(responseNonce);
    if (answered?.type !== subscription.type) return;
    this.#unanswered.delete(responseNonce);
    const { type, versions } = answered;
    if (errorDetail === undefined) {
      this.#options.onAccepted?.(type, versions);
      return;
    }
    const rejection = subscription.refused(errorDetail.message, versions);
    this.#options.onRejected?.(rejection);
  }

  #response(type: XdsType, { resources, removed }: DeltaBatch): DeltaDiscoveryResponse {
    this.#nonce += 1;
    const nonce = String(this.#nonce);
    const versions = new Map(resources.map(({ name, version }) => [name, version]));
    for (const name of removed) versions.set(name, '');
    this.#remember(nonce, { type, versions });
    if (type === 'cluster') this.#sendEndpointsAgain(resources, removed);
    return create(DeltaDiscoveryResponseSchema, {
      typeUrl: XDS_TYPES[type].typeUrl,
      nonce,
      resources: resources.map(messageOf),
      removedResources: [...removed],
    });
  }

  #remember(nonce: string, unanswered: Unanswered): void {
    this.#unanswered.set(nonce, unanswered);
    if (this.#unanswered.size <= this.#limits.unanswered) return;
    const [oldest] = this.#unanswered.keys();
    if (oldest !== undefined) this.#unanswered.delete(oldest);
  }

  /**
   * A changed cluster serves once endpoints arrive after it, and Envoy does not ask for those it has. Those of a new one are sent along too,
   * so that routes that follow find it serving.
   */
  #sendEndpointsAgain(clusters: readonly XdsResource[], removed: readonly string[]): void {
    const endpoints = this.#endpoints();
    for (const cluster of clusters) {
      for (const { type, name } of cluster.references) if (type === ENDPOINTS) endpoints.sendAgain(name);
    }
    for (const name of removed) endpoints.stopPushing(name);
  }

  #endpoints(): DeltaSubscription {
    const there = this.#types.get(ENDPOINTS);
    if (there !== undefined) return there;
    const made = new DeltaSubscription(ENDPOINTS, this.#options.view, this.#limits);
    this.#types.set(ENDPOINTS, made);
    return made;
  }
}

const ENDPOINTS = 'clusterLoadAssignment';

const messages = new WeakMap<XdsResource, Resource>();

/** The same message for all streams, so that whoever encodes it may do so once. */
function messageOf(resource: XdsResource): Resource {
  const { name, version, any } = resource;
  const message = messages.get(resource) ?? create(ResourceSchema, { name, version, resource: any });
  messages.set(resource, message);
  return message;
}
