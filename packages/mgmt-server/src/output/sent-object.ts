/** An output to send to an agent: named and hashed once; its bytes are encoded again if they are sent later. */
import { Buffer } from 'node:buffer';
import { sha256 } from '@meshrelay/host/hash';
import { canonicalJson, type DesiredObject } from '@meshrelay/relay-core';
import type { ObjectEnvelope } from '@meshrelay/relay-protocol';

/** Immutable, whatever happens to the output. Most bytes are sent at once, and never read again. */
export class EncodedOutput implements ObjectEnvelope {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly hash: string;
  readonly #desired: DesiredObject;
  #body: WeakRef<Uint8Array>;

  /** @throws what canonicalJson throws if a plugin's object is not JSON */
  constructor(desired: DesiredObject) {
    const { object, kind } = desired;
    const text = canonicalJson(object);
    this.group = kind.group;
    this.version = kind.version;
    this.kind = kind.kind;
    this.namespace = object.metadata.namespace ?? '';
    this.name = object.metadata.name;
    this.hash = sha256(text);
    this.#desired = desired;
    this.#body = new WeakRef(bytesOf(text));
  }

  get body(): Uint8Array {
    const known = this.#body.deref();
    if (known !== undefined) return known;
    const body = bytesOf(canonicalJson(this.#desired.object));
    this.#body = new WeakRef(body);
    return body;
  }
}

/** In its own buffer: a buffer that shares memory with others keeps their memory alive. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
