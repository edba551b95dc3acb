/** Keys of collections: structured values, interned as strings that are equal exactly if their parts are. */

declare const keyParts: unique symbol;

/** A structured key. Create it with {@link key} only, never by formatting; parse it with {@link partsOf} only. */
export type Key = string & { readonly [keyParts]?: readonly string[] };

/** The key with these parts, in this order. Injective: no two different lists of parts give the same key. */
export function key(...parts: readonly string[]): Key {
  return JSON.stringify(parts);
}

/** The parts of a key. */
export function partsOf(of: Key): readonly string[] {
  return JSON.parse(of) as string[];
}
