/**
 * Digest of a kind's objects, independent of resourceVersions: two replicas with the same objects have the same digest.
 */
import { createHash } from 'node:crypto';
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson } from '@meshrelay/relay-core';

/**
 * Each change costs only its own size: the digests of single objects are combined by XOR, so their order does not
 * matter.
 */
export class ContentDigest {
  readonly #objects = new Map<string, bigint>();
  readonly #unreadable = new Set<string>();
  #sum = 0n;

  /** @param object undefined for one that cannot be read: its effective state is specific to this replica */
  set(id: string, object: KubeObject | undefined): void {
    this.delete(id);
    if (object === undefined) {
      this.#unreadable.add(id);
      return;
    }
    const digest = createHash('sha256').update(canonicalJson(object)).digest();
    const value = digest.readBigUInt64BE(0) * 2n ** 64n + digest.readBigUInt64BE(8);
    this.#objects.set(id, value);
    this.#sum ^= value;
  }

  delete(id: string): void {
    this.#sum ^= this.#objects.get(id) ?? 0n;
    this.#objects.delete(id);
    this.#unreadable.delete(id);
  }

  /** Undefined while an object cannot be read. */
  get value(): string | undefined {
    return this.#unreadable.size > 0 ? undefined : this.#sum.toString(16);
  }
}
