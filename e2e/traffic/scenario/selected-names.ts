/** Selects scenarios by MESHRELAY_SCENARIO. */

/** The names that contain the text. @throws if there is none */
export function selectedNames(names: readonly string[], text: string): ReadonlySet<string> {
  const selected = names.filter((name) => name.includes(text));
  if (selected.length > 0) return new Set(selected);
  const lines = [
    `MESHRELAY_SCENARIO: no scenario has "${text}" in its name; use a part of one of these:`,
    ...names.toSorted(),
  ];
  throw new Error(lines.join('\n  '));
}
