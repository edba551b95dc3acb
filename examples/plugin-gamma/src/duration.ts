/** Durations of the Gateway API (GEP-2257): up to five digits for each unit. */

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** Such as `3s` and `1m30s`. */
export function duration(milliseconds: number): string {
  let left = milliseconds;
  let text = '';
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === '' ? '0s' : text;
}
