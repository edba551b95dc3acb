/**
 * `npm run exec -- node simulation/src/run/trace.ts SEED|FILE [LEVEL [MUTANT]]`: runs one schedule, or a stored one,
 * and prints everything: all events, the programs' logs (debug, info, warn or error), and the violations; with a mutant
 * in the product, if one is named.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { LogLevel } from '@meshrelay/telemetry';
import { plant } from '@meshrelay/testing/source-mutant';
import { MUTANTS } from '../mutants/mutants.ts';
import type { Schedule } from './schedule.ts';

const [what = 'meshrelay/0', level = 'info', mutantName] = process.argv.slice(2);
const write = (line: string): void => void process.stdout.write(`${line}\n`);
const mutant = MUTANTS.find(({ name }) => name === mutantName);
if (mutantName !== undefined && mutant === undefined) throw new Error(`unknown mutant ${mutantName}`);
if (mutant !== undefined) plant(mutant);

await import('../libraries/install.ts');
const { createLogger } = await import('@meshrelay/telemetry');
const { credentialsFile } = await import('./credentials-file.ts');
const { randomSchedule } = await import('./schedule.ts');
const { simulate } = await import('./simulate.ts');

process.on('unhandledRejection', (error) =>
  write(`unhandled rejection: ${error instanceof Error ? error.stack : error}`),
);
const credentials = await credentialsFile();
// Simulations run in macrotasks.
setImmediate(() => {
  const schedule: Schedule = what.endsWith('.json') ? JSON.parse(readFileSync(what, 'utf8')) : randomSchedule(what);
  write(JSON.stringify(schedule.shape));
  const { violations, ...rest } = simulate(schedule, {
    credentials,
    logger: (name, now) =>
      createLogger({
        name,
        level: level as LogLevel,
        destination: { write: (line: string) => write(`${stamp(now())} ${name} ${plain(line)}`) },
      }),
    onOperation: (text, at) => write(`${stamp(at)} ########## ${text}`),
  });
  for (const { invariant, at, message } of violations) write(`${stamp(at)} VIOLATED ${invariant}: ${message}`);
  write(JSON.stringify(rest));
  process.exit(violations.length === 0 ? 0 : 1);
});

function stamp(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3).padStart(8);
}

/** Formats a line of JSON for reading. */
function plain(line: string): string {
  const { ts: _, name: __, level: severity, logger: ___, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
  return `${severity}: ${msg} ${JSON.stringify(fields).slice(0, 400)}`;
}
