/** Assigns an object's name to a bucket of its kind: an index of names is written bucket by bucket. */

/** Number of buckets of a kind. */
export const BUCKETS = 64;

/** From 0 to 63, by FNV-1a over UTF-16 units with the high bits folded in. */
export function bucketOf(id: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) sum = Math.imul(sum ^ id.charCodeAt(at), 0x01000193);
  return ((sum >>> 16) ^ (sum >>> 6) ^ sum) & (BUCKETS - 1);
}
