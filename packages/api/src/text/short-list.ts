// Lists in messages, shortened to a few items.

/** `a, b and 3 more`: the first `max` items, and the number of the rest. */
export function shortList(names: readonly string[], max: number): string {
  const more = names.length - max;
  return more > 0 ? `${names.slice(0, max).join(', ')} and ${more} more` : names.join(', ');
}
