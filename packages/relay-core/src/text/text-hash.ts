/** A small hash of a text, for tables and for telling texts apart cheaply. */

/** Texts of different hashes are different; the same hash says nothing. Whole numbers of four bytes, sign included. */
export function textHash(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash;
}
