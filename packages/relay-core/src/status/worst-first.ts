/** The order in which reports are retained if not all fit. */
import type { Report, Severity } from '@meshrelay/api';

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/**
 * At most `max` reports. If all fit, they keep their order; otherwise errors precede warnings, and warnings the rest.
 * So the cause of a state always stays.
 */
export function worstOf(reports: readonly Report[], max: number): readonly Report[] {
  if (reports.length <= max) return reports;
  return worstFirst(reports).slice(0, max);
}

/** Errors before warnings before the rest; otherwise in their own order. */
export function worstFirst(reports: readonly Report[]): readonly Report[] {
  return reports.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
}
