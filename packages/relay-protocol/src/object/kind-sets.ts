/** Lists of kinds by their digests: agents of one program have the same list and need not send it each time. */
import { Buffer } from 'node:buffer';
import type { ObjectKind } from './envelope.ts';
import { kindListDigest } from './whole-digest.ts';

/** More distinct lists than a fleet of mixed versions and plugins has. */
const MAX_KINDS = 128;

/** The server's cache of lists that authenticated agents sent. The oldest are evicted first. */
export class KindSets {
  readonly #lists = new Map<string, readonly ObjectKind[]>();

  cache(kinds: readonly ObjectKind[]): void {
    const id = idOf(kindListDigest(kinds));
    this.#lists.delete(id);
    this.#lists.set(id, kinds);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= MAX_KINDS) return;
      this.#lists.delete(oldest);
    }
  }

  recall(digest: Uint8Array): readonly ObjectKind[] | undefined {
    return this.#lists.get(idOf(digest));
  }
}

function idOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('latin1');
}
