/** A small hash of a text, for tables and for cheap comparison of texts. */

/** Texts with different hashes differ; equal hashes prove nothing. Signed 32-bit integers. */
export function textHash(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash;
}
