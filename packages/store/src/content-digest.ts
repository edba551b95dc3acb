/** Digest of a set of objects; each update costs only the size of its change. */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';

const DIGEST_BYTES = 16;

/** XOR of the entries' digests, so order and history do not matter. */
export class ContentDigest {
  readonly #bytes = new Uint8Array(DIGEST_BYTES);

  /** Adds an entry, or removes an existing one: XOR is its own inverse. */
  toggle(id: string, contentHash: string): void {
    const entry = hash('sha256', `${id}\0${contentHash}`, 'buffer');
    for (let at = 0; at < DIGEST_BYTES; at++) this.#bytes[at] = (this.#bytes[at] ?? 0) ^ (entry[at] ?? 0);
  }

  /** The digest in hex; zeros for an empty set. */
  get hex(): string {
    return Buffer.from(this.#bytes).toString('hex');
  }
}
