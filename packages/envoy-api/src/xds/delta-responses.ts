/** Responses of delta streams: a response for many Envoys is built once. */
import { create } from '@bufbuild/protobuf';
import {
  type DeltaDiscoveryResponse,
  DeltaDiscoveryResponseSchema,
  type Resource,
  ResourceSchema,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import type { XdsResource } from './resource.ts';
import { XDS_TYPES, type XdsType } from './resource-type.ts';

/** Content of one response. */
export interface DeltaBatch {
  readonly resources: readonly XdsResource[];
  readonly removed: readonly string[];
}

/**
 * Content of a sent response until it is answered. Only texts: the resources may have changed by then, and are not kept
 * alive.
 */
export interface SentResponse {
  readonly type: XdsType;
  /** Version by name; '' for a removal. */
  readonly versions: ReadonlyMap<string, string>;
  /** Increases across all streams. */
  readonly nonce: number;
}

/** A response and its recorded content: both shared by all streams that send it, and never changed. */
export interface DeltaResponse {
  readonly sentResponse: SentResponse;
  readonly message: DeltaDiscoveryResponse;
}

interface Latest extends DeltaResponse {
  readonly batch: DeltaBatch;
}

/**
 * Shared by streams of all callers: a response is reused only if it has exactly the resources of the stream's own view.
 */
export class DeltaResponses {
  /** A change is sent to one stream after the other, so the next stream usually needs the last response of a type. */
  readonly #latest = new Map<XdsType, Latest>();
  #nonce = 0;

  /** @param after the stream's last nonce: a stream never repeats one */
  of(type: XdsType, batch: DeltaBatch, after: number): DeltaResponse {
    const latest = this.#latest.get(type);
    if (latest !== undefined && latest.sentResponse.nonce > after && isSame(latest.batch, batch)) return latest;
    const made = { ...this.#make(type, batch), batch };
    this.#latest.set(type, made);
    return made;
  }

  #make(type: XdsType, { resources, removed }: DeltaBatch): DeltaResponse {
    const versions = new Map<string, string>();
    for (const { name, version } of resources) versions.set(name, version);
    for (const name of removed) versions.set(name, '');
    const nonce = ++this.#nonce;
    const message = create(DeltaDiscoveryResponseSchema, {
      typeUrl: XDS_TYPES[type].typeUrl,
      nonce: String(nonce),
      resources: resources.map(messageOf),
      removedResources: [...removed],
    });
    return { sentResponse: { type, versions, nonce }, message };
  }
}

function isSame(one: DeltaBatch, other: DeltaBatch): boolean {
  return isSameList(one.resources, other.resources) && isSameList(one.removed, other.removed);
}

function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

const messages = new WeakMap<XdsResource, Resource>();

/** The same message object in all responses, so that it can be encoded once. */
function messageOf(resource: XdsResource): Resource {
  const before = messages.get(resource);
  if (before !== undefined) return before;
  const { name, version, any } = resource;
  const message = create(ResourceSchema, { name, version, resource: any });
  messages.set(resource, message);
  return message;
}
