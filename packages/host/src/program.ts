/** Runs a program as a process: from its start to SIGTERM. */
import process from 'node:process';
import { VERSION } from '@meshrelay/api';
import { versionText } from '@meshrelay/telemetry/build-info';
import { ConfigError, HelpRequested } from './config-error.ts';
import { errorMessage } from './error-details.ts';

/**
 * Runs a program until it ends by itself or SIGTERM or SIGINT aborts its signal; a second signal ends the process at
 * once. `--version` only prints the versions. Bad configuration, and failures with a Meshrelay code, are printed in one
 * line; any other failure with its stack. Sets the exit code.
 */
export async function runProgram(name: string, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  if (process.argv.slice(2).includes('--version')) {
    process.stdout.write(versionText(name, { api: VERSION, 'plugin contract': 1 }));
    return;
  }
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
    if (error instanceof HelpRequested) {
      process.stdout.write(`usage: ${name} ${error.message}`);
      return;
    }
    process.stderr.write(`${name}: ${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  }
}

/** Text of a failure: errors that name the object and the next action need no stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: unknown };
  const isExpected =
    error instanceof ConfigError || (typeof code === 'string' && /^(RELAY_E_|EADDR|EACCES)/.test(code));
  return isExpected ? errorMessage(error) : (error.stack ?? error.message);
}
