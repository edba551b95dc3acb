/** Which reports are told where there is no room for all. */
import type { Report, Severity } from '@meshrelay/api';

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** At most so many: as they are where all have room, else errors before warnings before the rest. What explains a state is never what is left out. */
export function worstOf(reports: readonly Report[], max: number): readonly Report[] {
  if (reports.length <= max) return reports;
  return worstFirst(reports).slice(0, max);
}

/** Errors before warnings before the rest, each as they come. */
export function worstFirst(reports: readonly Report[]): readonly Report[] {
  return reports.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
}
