/** Resources as they are kept: encoded once, with a version that is their content's hash. */
import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { packMessage } from '../messages/any.ts';
import { referencesOf } from './references.ts';
import { XDS_TYPES, type XdsType } from './resource-type.ts';

/** Which resource. */
export interface XdsKey {
  readonly type: XdsType;
  readonly name: string;
}

/** A resource that may be sent. Never changed; shared by all streams. */
export interface XdsResource extends XdsKey {
  /** The same for the same content, on every replica and after every restart. */
  readonly version: string;
  readonly any: Any;
  /** The resources it names. */
  readonly references: readonly XdsKey[];
}

/** Bytes to a short text that is the same for the same bytes, such as the head of a SHA-256. Handed in by the host. */
export type Hash = (bytes: Uint8Array) => string;

/** A resource of a message. */
export function resourceOf(type: XdsType, name: string, message: Message, hash: Hash): XdsResource {
  const schema: DescMessage = XDS_TYPES[type].schema;
  const any = packMessage(schema, message);
  return { type, name, version: hash(any.value), any, references: referencesOf(type, message) };
}

/** What one caller may have. */
export interface XdsView {
  /** Undefined for what does not exist and for what is not the caller's: it cannot tell one from the other. */
  get(type: XdsType, name: string): XdsResource | undefined;
  /** Whether it exists and cannot be sent yet: the caller is not told that it is missing. Omitted: nothing is. */
  isAwaited?(type: XdsType, name: string): boolean;
  /** Names of all of a type that the caller is given without asking by name: not those that wait for the first request. */
  listed(type: XdsType): Iterable<string>;
  isListed(type: XdsType, name: string): boolean;
}

/** Text that stands for a key in maps. */
export function keyText({ type, name }: XdsKey): string {
  return `${type}/${name}`;
}
