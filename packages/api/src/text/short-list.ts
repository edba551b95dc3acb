// Lists in messages, which stay short however long they are.

/** `a, b and 3 more`: the first `max` of them, and how many are left out. */
export function shortList(names: readonly string[], max: number): string {
  const more = names.length - max;
  return more > 0 ? `${names.slice(0, max).join(', ')} and ${more} more` : names.join(', ');
}
