/** Plain tables, as kubectl prints them. */

import { plain } from './plain.ts';

/** Rows under a header, columns three spaces apart. */
export function table(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const all = [header, ...rows.map((row) => row.map(plain))];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n')
    .concat('\n');
}
