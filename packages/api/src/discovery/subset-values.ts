/** Reads the values of one label among the pods of a Service. */
import type { SubsetValues } from './destination.ts';

/** Whether some pod has the value. */
export function isAmongValues(value: string, { values, ranges = [] }: SubsetValues): boolean {
  return values.includes(value) || ranges.some(({ prefix, from, to }) => isNumbered(value, prefix, from, to));
}

/** A number is written without leading zeros and signs. */
function isNumbered(value: string, prefix: string, from: number, to: number): boolean {
  if (!value.startsWith(prefix)) return false;
  const digits = value.slice(prefix.length);
  const number = Number(digits);
  return String(number) === digits && number >= from && number <= to;
}

/** The values as text: each, and `web-0 to web-9` for a range. */
export function listValues({ values, ranges = [] }: SubsetValues): string[] {
  return [
    ...values,
    ...ranges.map(({ prefix, from, to }) => (from === to ? `${prefix}${from}` : `${prefix}${from} to ${prefix}${to}`)),
  ];
}
