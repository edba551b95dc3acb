/** Responses of delta streams: what many Envoys are told alike is put into words once. */
import { create } from '@bufbuild/protobuf';
import {
  type DeltaDiscoveryResponse,
  DeltaDiscoveryResponseSchema,
  type Resource,
  ResourceSchema,
} from '../gen/envoy/service/discovery/v3/discovery_pb.ts';
import type { XdsResource } from './resource.ts';
import { XDS_TYPES, type XdsType } from './resource-type.ts';

/** What goes into one response. */
export interface DeltaBatch {
  readonly resources: readonly XdsResource[];
  readonly removed: readonly string[];
}

/** What a response told, for when it is answered. Texts alone: what was sent may be another by then, and nobody keeps it for that. */
export interface SentResponse {
  readonly type: XdsType;
  /** By name; '' for what was said to be gone. */
  readonly versions: ReadonlyMap<string, string>;
  /** Counts up over all streams. */
  readonly nonce: number;
}

/** A response and what is remembered of it: both shared by all streams that give it, and never changed. */
export interface DeltaResponse {
  readonly sentResponse: SentResponse;
  readonly message: DeltaDiscoveryResponse;
}

interface Latest extends DeltaResponse {
  readonly batch: DeltaBatch;
}

/** Shared by streams, whoever their callers are: a response is given again only for the very resources that a stream's own view has. */
export class DeltaResponses {
  /** As changes are told to one stream after the other, the last of a type is what the next stream needs, if any. */
  readonly #latest = new Map<XdsType, Latest>();
  #nonce = 0;

  /** @param after the nonce that the stream gave last: it gives none twice */
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

/** The same message in all responses, so that whoever encodes it may do so once. */
function messageOf(resource: XdsResource): Resource {
  const before = messages.get(resource);
  if (before !== undefined) return before;
  const { name, version, any } = resource;
  const message = create(ResourceSchema, { name, version, resource: any });
  messages.set(resource, message);
  return message;
}
