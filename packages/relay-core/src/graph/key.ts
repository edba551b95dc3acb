/** Keys of collections: structured values, interned as strings that are equal exactly when their parts are. */

declare const keyParts: unique symbol;

/** A structured key. Made by {@link key} only; never formatted by hand, never parsed but by {@link partsOf}. */
export type Key = string & { readonly [keyParts]?: readonly string[] };

/** The key with these parts, in this order. Injective: no two different lists of parts give the same key. */
export function key(...parts: readonly string[]): Key {
  return JSON.stringify(parts);
}

/** The parts a key was made of. */
export function partsOf(of: Key): readonly string[] {
  return JSON.parse(of) as string[];
}

/** Orders keys by UTF-16 code units: the same on every machine and in every locale. */
export function compareKeys(a: Key, b: Key): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
