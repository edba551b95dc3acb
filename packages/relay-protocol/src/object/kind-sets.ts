/** Lists of kinds by their digests: agents of one program all have the same, and need not tell it each time. */
import { Buffer } from 'node:buffer';
import type { ObjectKind } from './envelope.ts';
import { kindListDigest } from './whole-digest.ts';

/** More different lists than a fleet of mixed versions and plugins has. */
const MAX_KINDS = 128;

/** What a server remembers of lists that authenticated agents have told. The oldest go first. */
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
