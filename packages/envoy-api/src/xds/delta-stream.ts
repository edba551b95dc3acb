/** Delta xDS: each resource is sent when it differs from what Envoy has, and once more where Envoy would wait for it without asking. */
import { create } from '@bufbuild/protobuf';
import {
  type DeltaDiscoveryRequest,
  type DeltaDiscoveryResponse,
  type Resource,
  ResourceSchema,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import { DeltaSubscription } from './delta-subscription.ts';
import type { Rejection } from './rejection.ts';
import type { XdsKey, XdsResource } from './resource.ts';
import { XDS_ORDER, XDS_TYPES, type XdsType, xdsTypeOf } from './resource-type.ts';
import { DEFAULT_XDS_LIMITS, type XdsLimits, type XdsStream, type XdsStreamOptions } from './stream.ts';
import { type Told, Unanswered } from './unanswered.ts';

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
  /** Those that there are, in both orders: looked through for every change. */
  #updates: readonly DeltaSubscription[] = [];
  #removals: readonly DeltaSubscription[] = [];
  readonly #unanswered: Unanswered;

  constructor(options: XdsStreamOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_XDS_LIMITS, ...options.limits };
    this.#unanswered = new Unanswered(this.#limits.unanswered);
  }

  receive(request: DeltaDiscoveryRequest): void {
    const type = xdsTypeOf(request.typeUrl);
    if (type === undefined) return;
    const subscription = this.#subscription(type);
    const known = subscription.receive(request);
    if (known.size > 0) this.#options.onKnown?.(type, known);
    if (request.responseNonce !== '') this.#answered(subscription, request);
  }

  changed(keys: Iterable<XdsKey>): void {
    for (const { type, name } of keys) this.#types.get(type)?.changed(name);
  }

  next(): DeltaDiscoveryResponse | undefined {
    for (const subscription of this.#updates) {
      const batch = subscription.takeUpdates();
      if (batch !== undefined) return this.#response(subscription.type, batch);
    }
    for (const subscription of this.#removals) {
      const batch = subscription.takeRemovals();
      if (batch !== undefined) return this.#response(subscription.type, batch);
    }
    return undefined;
  }

  rejections(): Rejection[] {
    return [...this.#types.values()].flatMap(({ quarantine }) => quarantine.rejections());
  }

  #answered(subscription: DeltaSubscription, { responseNonce, errorDetail }: DeltaDiscoveryRequest): void {
    const { type } = subscription;
    const answered = this.#unanswered.take(responseNonce, type);
    if (answered === undefined) return;
    const versions = versionsOf(answered);
    if (errorDetail === undefined) {
      this.#options.onAccepted?.(type, versions);
      return;
    }
    const rejection = subscription.refused(errorDetail.message, versions);
    this.#options.onRejected?.(rejection);
  }

  #response(type: XdsType, { resources, removed }: DeltaBatch): DeltaDiscoveryResponse {
    const versions: string[] = [];
    for (const { name, version } of resources) versions.push(name, version);
    for (const name of removed) versions.push(name, '');
    const nonce = this.#unanswered.add({ type, versions });
    if (type === 'cluster') this.#sendEndpointsAgain(resources, removed);
    // What `create` makes, without its walk over the fields: there is one for each Envoy and change.
    return {
      $typeName: 'envoy.service.discovery.v3.DeltaDiscoveryResponse',
      systemVersionInfo: '',
      resources: resources.map(messageOf),
      typeUrl: XDS_TYPES[type].typeUrl,
      removedResources: [...removed],
      removedResourceNames: [],
      nonce,
      resourceErrors: [],
    };
  }

  /**
   * A changed cluster serves once endpoints arrive after it, and Envoy does not ask for those it has. Those of a new one are sent along too,
   * so that routes that follow find it serving.
   */
  #sendEndpointsAgain(clusters: readonly XdsResource[], removed: readonly string[]): void {
    const endpoints = this.#subscription(ENDPOINTS);
    for (const cluster of clusters) {
      for (const { type, name } of cluster.references) if (type === ENDPOINTS) endpoints.sendAgain(name);
    }
    for (const name of removed) endpoints.stopPushing(name);
  }

  #subscription(type: XdsType): DeltaSubscription {
    const there = this.#types.get(type);
    if (there !== undefined) return there;
    const made = new DeltaSubscription(type, this.#options.view, this.#limits);
    this.#types.set(type, made);
    const inOrder = (order: readonly XdsType[]): DeltaSubscription[] =>
      order.flatMap((each) => this.#types.get(each) ?? []);
    this.#updates = inOrder(XDS_ORDER);
    this.#removals = inOrder(REMOVAL_ORDER);
    return made;
  }
}

const ENDPOINTS = 'clusterLoadAssignment';

function versionsOf({ versions: told }: Told): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (let at = 0; at < told.length; at += 2) versions.set(told[at] as string, told[at + 1] as string);
  return versions;
}

const messages = new WeakMap<XdsResource, Resource>();

/** The same message for all streams, so that whoever encodes it may do so once. */
function messageOf(resource: XdsResource): Resource {
  const before = messages.get(resource);
  if (before !== undefined) return before;
  const { name, version, any } = resource;
  const message = create(ResourceSchema, { name, version, resource: any });
  messages.set(resource, message);
  return message;
}
