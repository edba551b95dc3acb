/** Stopwatches and small statistics. */
import { performance } from 'node:perf_hooks';
import process from 'node:process';

/** CPU of the whole process, garbage collection and compilation on other threads included, in milliseconds. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Wall time, in milliseconds. */
export function wallMs(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

/** The value that `share` of all values do not exceed; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The least-squares slope of log y over log x: 0 if cost is independent of size, 1 if it is proportional. */
export function logLogSlope(points: ReadonlyArray<{ readonly x: number; readonly y: number }>): number {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(logs.map(({ x }) => x)), mean(logs.map(({ y }) => y))];
  const covariance = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
}

/** The maximum resident memory of the process, in MiB. */
export function peakRssMiB(): number {
  return process.resourceUsage().maxRSS / 1024;
}

/** Rounds to the significant digits of a report. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
