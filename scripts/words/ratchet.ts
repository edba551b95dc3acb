/** Totals that may only become lower, until they are 0 and the file is removed. */

/**
 * Deviations of the current totals, one line each; empty if they equal the stored ones. Without stored totals, each
 * must be 0.
 */
export function compareTotals(
  today: ReadonlyMap<string, number>,
  stored: Readonly<Record<string, number>> | undefined,
): { readonly grown: readonly string[]; readonly problems: readonly string[] } {
  const grown: string[] = [];
  const problems: string[] = [];
  for (const [name, count] of today) {
    const most = stored?.[name] ?? 0;
    if (count > most) {
      grown.push(name);
      problems.push(`"${name}": ${count} uses, at most ${most} are allowed; use the replacement`);
    } else if (count < most) {
      problems.push(`"${name}": ${count} uses, ${most} are stored; lower the total with --update`);
    }
  }
  for (const name of Object.keys(stored ?? {}))
    if (!today.has(name)) problems.push(`"${name}": stored, but there is no such pattern; run --update`);
  if (stored && problems.length === 0 && [...today.values()].every((count) => count === 0))
    problems.push('all totals are 0: delete scripts/words/totals.json');
  return { grown, problems };
}
