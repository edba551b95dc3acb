// Durations in Go's syntax: `1m30s`, `250ms`, `1.5h`.

const MILLISECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const TERM = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
/** Go stores durations as 64-bit nanoseconds. */
const LONGEST = 2 ** 63 / 1e6;

/**
 * Milliseconds, possibly with a fraction, of a duration in the syntax of Go's `time.ParseDuration`; negative ones
 * included. Undefined if the text is not such a duration or exceeds Go's range (about 292 years).
 */
export function parseGoDuration(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1;
  const unsigned = /^[-+]/.test(text) ? text.slice(1) : text;
  if (unsigned === '0') return 0;
  let total = 0;
  let position = 0;
  while (position < unsigned.length) {
    TERM.lastIndex = position;
    const term = TERM.exec(unsigned);
    if (term === null) return undefined;
    const unit = MILLISECONDS_PER_UNIT[term[2] ?? ''];
    if (unit === undefined) return undefined;
    total += Number(term[1]) * unit;
    position = TERM.lastIndex;
  }
  return position === 0 || total >= LONGEST ? undefined : sign * total;
}

/**
 * The shortest Go-style text of a duration of `milliseconds`, rounded to nanoseconds: `1h30m`, `1.5s`, `250ms`, `0s`.
 * @throws RangeError when the number is not finite.
 */
export function formatDuration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`a duration must be finite, got ${milliseconds}`);
  if (milliseconds < 0) return `-${formatDuration(-milliseconds)}`;
  const nanoseconds = Math.round(milliseconds * 1e6);
  if (nanoseconds === 0) return '0s';
  if (nanoseconds < 1e3) return `${nanoseconds}ns`;
  if (nanoseconds < 1e6) return `${nanoseconds / 1e3}us`;
  if (nanoseconds < 1e9) return `${nanoseconds / 1e6}ms`;
  const minutes = Math.floor(nanoseconds / 6e10);
  const seconds = (nanoseconds - minutes * 6e10) / 1e9;
  const hours = Math.floor(minutes / 60);
  return [
    hours > 0 ? `${hours}h` : '',
    minutes % 60 > 0 ? `${minutes % 60}m` : '',
    seconds > 0 ? `${seconds}s` : '',
  ].join('');
}
