/** Text of titles, lines and tables, with nested indentation. */
import { table } from '../output/table.ts';

/** A table under a title; empty if it has no rows. */
export function tableSection(
  title: string,
  header: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
): readonly string[] {
  return rows.length === 0 ? [] : ['', title, ...indented(withoutEmptyColumns(header, rows))];
}

/** Lines under a title; empty without lines. */
export function linesSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...indented(lines)];
}

/** Names with their values, one per line, without those that have no value. */
export function factsSection(facts: ReadonlyArray<readonly [string, string | undefined]>): readonly string[] {
  const known = facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined && fact[1] !== '');
  const width = Math.max(...known.map(([name]) => name.length)) + 1;
  return known.map(([name, value]) => `${`${name}:`.padEnd(width)}  ${value}`);
}

/** Omits columns that are empty in every row. */
function withoutEmptyColumns(header: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const retained = header.flatMap((_, column) => (rows.some((row) => (row[column] ?? '') !== '') ? [column] : []));
  const pick = (row: readonly string[]): string[] => retained.map((column) => row[column] ?? '');
  return table(pick(header), rows.map(pick)).trimEnd().split('\n');
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}
