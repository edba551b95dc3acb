/** Digests of whole sets, with which two ends detect at once that nothing differs. */
import { createHash } from 'node:crypto';
import type { ContentIndex } from './content-index.ts';
import { DIGEST_BYTES } from './digest.ts';
import { kindId, type ObjectKind } from './envelope.ts';

/** The first 16 bytes of SHA-256 over texts and bytes; each text is followed by a NUL. */
export function wholeDigest(parts: Iterable<string | Uint8Array>): Uint8Array {
  const sum = createHash('sha256');
  for (const part of parts) {
    if (typeof part === 'string') sum.update(part).update('\0');
    else sum.update(part);
  }
  return new Uint8Array(sum.digest().subarray(0, DIGEST_BYTES));
}

/**
 * Digest of all content, or of some kinds: their ids and digests, ordered by id. Kinds without objects are left out.
 */
export function contentDigest(content: ContentIndex, kinds: readonly ObjectKind[] = content.kinds()): Uint8Array {
  const ids = kinds.map(kindId).filter((id) => content.count(id) > 0);
  return wholeDigest(ids.sort().flatMap((id) => [id, content.digest(id)]));
}

/** Digest of a list of kinds, in its order. */
export function kindListDigest(kinds: readonly ObjectKind[]): Uint8Array {
  return wholeDigest(kinds.map(kindId));
}
