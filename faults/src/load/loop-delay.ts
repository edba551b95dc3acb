/** Event loop delay of servers, from their own metrics. */
import type { Program } from '@meshrelay/local-fleet';

/** Event loop delay in milliseconds, as perf_hooks' monitorEventLoopDelay measures it. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const METRICS = {
  p50: 'nodejs_eventloop_lag_p50_seconds',
  p99: 'nodejs_eventloop_lag_p99_seconds',
  max: 'nodejs_eventloop_lag_max_seconds',
} as const;

/**
 * The delays since the last request: each response resets the library's histogram. @throws Error if a metric is missing
 */
export async function loopDelays(programs: readonly Program[]): Promise<readonly LoopDelay[]> {
  return await Promise.all(
    programs.map(async (program) => {
      const response = await fetch(`http://127.0.0.1:${healthPortOf(program)}/metrics`);
      const text = await response.text();
      const read = (name: string): number => {
        const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
        if (value === undefined) throw new Error(`the metrics of a server lack ${name}`);
        return Number(value) * 1000;
      };
      return { p50: read(METRICS.p50), p99: read(METRICS.p99), max: read(METRICS.max) };
    }),
  );
}

/** Address at which a server serves health, metrics and snapshots. */
export function healthPortOf(program: Program): number {
  return Number(program.lines().find(({ healthPort }) => healthPort !== undefined)?.['healthPort']);
}
