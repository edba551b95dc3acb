/**
 * Preloaded into a program (`node --import`). On SIGUSR2 it prints the event-loop delay since the last signal, as a
 * line of JSON.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';

const watch = monitorEventLoopDelay({ resolution: 1 });
watch.enable();
process.on('SIGUSR2', () => {
  const ms = (nanoseconds: number): number => nanoseconds / 1e6;
  const loopDelay = { p50: ms(watch.percentile(50)), p99: ms(watch.percentile(99)), max: ms(watch.max) };
  watch.reset();
  process.stdout.write(`${JSON.stringify({ loopDelay })}\n`);
});
