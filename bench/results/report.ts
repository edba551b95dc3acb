/** All results of one benchmark run, as data and as a table. */
import { rounded } from '../measure.ts';

/** The machine and the program; figures are meaningless without them. */
export interface HostFacts {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly loadBefore: number;
}

export interface Figure {
  /** Such as `edit, 10000 services`. */
  readonly name: string;
  readonly value: number | string | boolean;
  readonly unit?: string;
  /** Its target, such as `<= 0.10`; absent for information only. */
  readonly target?: string;
  /** Whether the target is met; absent without a target. */
  readonly met?: boolean;
}

export interface Report {
  readonly host: HostFacts;
  readonly command: string;
  /** Checksums of the measured fleets, by name. */
  readonly fleets: Readonly<Record<string, string>>;
  readonly figures: readonly Figure[];
}

/** A figure with an upper limit. */
export function atMost(name: string, value: number, limit: number, unit?: string): Figure {
  return {
    name,
    value: rounded(value),
    ...(unit === undefined ? {} : { unit }),
    target: `<= ${limit}`,
    met: value <= limit,
  };
}

/** A figure with a lower limit. */
export function atLeast(name: string, value: number, limit: number): Figure {
  return { name, value: rounded(value), target: `>= ${limit}`, met: value >= limit };
}

/** A figure that must have exactly this value. */
export function mustBe(name: string, value: number | boolean, target: number | boolean): Figure {
  return { name, value, target: String(target), met: value === target };
}

export function forInformation(name: string, value: number | string, unit?: string): Figure {
  return { name, value: typeof value === 'number' ? rounded(value) : value, ...(unit === undefined ? {} : { unit }) };
}

/** One figure per line. */
export function table({ figures }: Pick<Report, 'figures'>): string {
  const rows = figures.map(({ name, value, unit = '', target = '', met }) => [
    name,
    `${value}${unit === '' ? '' : ` ${unit}`}`,
    target,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
