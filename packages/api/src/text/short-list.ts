// Lists in messages, which stay short however long they are.

/** `a, b and 3 more`: the first `most` of them, and how many are left out. */
export function shortList(names: readonly string[], most: number): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}
