/** Stored resources: encoded once, with a hash of their content as version. */
import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { packMessage } from '../messages/any.ts';
import { referencesOf } from './references.ts';
import type { XdsKey } from './resource-key.ts';
import { XDS_TYPES, type XdsType } from './resource-type.ts';

/** A sendable resource. Never changed; shared by all streams. */
export interface XdsResource extends XdsKey {
  /** The same for the same content, on every replica and after every restart. */
  readonly version: string;
  readonly any: Any;
  /** The resources it references. */
  readonly references: readonly XdsKey[];
}

/** Hashes bytes to a short text, such as the beginning of a SHA-256. Injected by the host. */
export type Hash = (bytes: Uint8Array) => string;

/** Builds a resource from a message. */
export function resourceOf(type: XdsType, name: string, message: Message, hash: Hash): XdsResource {
  const schema: DescMessage = XDS_TYPES[type].schema;
  const any = packMessage(schema, message);
  return { type, name, version: hash(any.value), any, references: referencesOf(type, message) };
}

/** The resources of one caller. */
export interface XdsView {
  /** Undefined if it does not exist or does not belong to the caller, who cannot distinguish the two. */
  get(type: XdsType, name: string): XdsResource | undefined;
  /** Whether it exists and cannot be sent yet: it is not reported as missing. Omitted: never. */
  isAwaited?(type: XdsType, name: string): boolean;
  /**
   * Names of all resources of a type that the caller gets without a request by name, except those that wait for the
   * first request.
   */
  listed(type: XdsType): Iterable<string>;
  isListed(type: XdsType, name: string): boolean;
}
