/** Names of discovered objects in the management namespace: readable, unique, the same on every replica. */
import type { Collection, Graph } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';

/**
 * A name for each item: its base name, with 6 hexadecimal digits of its key's hash appended where several items of the collection
 * have the same base name. Under the items' own keys.
 */
export function uniqueNames<V>(
  graph: Graph,
  label: string,
  items: Collection<V>,
  baseName: (item: V, key: Key) => string,
  hash: Hasher,
): Collection<string> {
  const sameName = graph.group(
    `${label}-by-name`,
    items,
    (item, itemKey): Array<readonly [Key, Key]> => [[key(baseName(item, itemKey)), itemKey]],
  );
  return graph.derive(label, items, (item, read, itemKey) => {
    const name = baseName(item, itemKey);
    const alone = (read.get(sameName, key(name))?.length ?? 0) <= 1;
    return alone ? name : `${name}-${hash(itemKey).slice(0, 6)}`;
  });
}
