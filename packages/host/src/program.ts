/** The life of a program as a process: from its start to SIGTERM. */
import process from 'node:process';
import { ConfigError } from './config-error.ts';

/**
 * Runs a program until it ends by itself or the signal given to it is aborted by SIGTERM or SIGINT; a second signal ends the process at once.
 * Bad configuration is said in one line; any other failure with its stack. Sets the exit code.
 */
export async function runProgram(name: string, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    await run(stop.signal);
  } catch (error) {
    const text =
      error instanceof ConfigError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    process.stderr.write(`${name}: ${text}\n`);
    process.exitCode = 1;
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
