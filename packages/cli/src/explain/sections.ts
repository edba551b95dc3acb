/** Text of titles, lines and tables, indented under each other. */
import { table } from '../output/table.ts';

/** A table under a title; nothing where it has no rows. */
export function tableSection(
  title: string,
  header: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
): readonly string[] {
  return rows.length === 0 ? [] : ['', title, ...indented(withoutEmptyColumns(header, rows))];
}

/** Lines under a title; nothing where there are none. */
export function linesSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...indented(lines)];
}

/** Names with their values, one a line; those without a value are left out. */
export function factsSection(facts: ReadonlyArray<readonly [string, string | undefined]>): readonly string[] {
  const known = facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined && fact[1] !== '');
  const width = Math.max(...known.map(([name]) => name.length)) + 1;
  return known.map(([name, value]) => `${`${name}:`.padEnd(width)}  ${value}`);
}

/** Columns in which no row says anything say nothing. */
function withoutEmptyColumns(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const retained = header.flatMap((_, column) => (rows.some((row) => (row[column] ?? '') !== '') ? [column] : []));
  const pick = (row: readonly string[]): string[] => retained.map((column) => row[column] ?? '');
  return table(pick(header), rows.map(pick)).trimEnd().split('\n');
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}
