/** A process that runs schedules for another. Node's own clocks are replaced in it, so it does nothing else. */
import process from 'node:process';
import { plant } from '@meshrelay/testing/source-mutant';
import type { Violation } from '../check/violation.ts';
import type { Credentials } from '../fleet/credentials.ts';
import { MUTANTS } from '../mutants/mutants.ts';
import type { Schedule } from './schedule.ts';

/** A task of a worker. */
export type Order =
  | { readonly ask: 'run'; readonly seed: string }
  | { readonly ask: 'replay'; readonly schedule: Schedule }
  | { readonly ask: 'shrink'; readonly schedule: Schedule };

/** Its replies, one per task. */
export interface Report {
  readonly schedule: Schedule;
  readonly violation: Violation | undefined;
  readonly steps: number;
  /** A hash of all steps. */
  readonly digest: number;
  readonly checks: number;
  readonly recovery: number;
}

const { MESHRELAY_MUTANT: mutantName, MESHRELAY_CREDENTIALS: credentialsText = '{}' } = process.env;
const mutant = MUTANTS.find(({ name }) => name === mutantName);
if (mutantName !== undefined && mutant === undefined) throw new Error(`unknown mutant ${mutantName}`);
if (mutant !== undefined) plant(mutant);

await import('../libraries/install.ts');
const { simulate } = await import('./simulate.ts');
const { randomSchedule } = await import('./schedule.ts');
const { reduce } = await import('./reduce.ts');
const credentials = JSON.parse(credentialsText) as Credentials;

/** Unhandled rejections, which would have ended a process of the fleet. */
const loose: unknown[] = [];
process.on('unhandledRejection', (error) => loose.push(error));

/** Runs it; after a crash runs it again to find the origin. */
function run(schedule: Schedule): Report {
  const report = runOnce(schedule);
  if (report.violation?.invariant !== 'crash') return report;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 20;
  const again = runOnce(schedule);
  Error.stackTraceLimit = stackTraceLimit;
  return again.violation === undefined ? report : again;
}

function runOnce(schedule: Schedule): Report {
  loose.length = 0;
  const { violations, ...rest } = simulate(schedule, { credentials });
  const [violation] = violations;
  if (violation !== undefined || loose.length === 0) return { schedule, violation, ...rest };
  const message = loose[0] instanceof Error ? (loose[0].stack ?? loose[0].message) : String(loose[0]);
  return { schedule, violation: { invariant: 'crash', at: 0, message: `unhandled rejection: ${message}` }, ...rest };
}

function answer(order: Order): Report {
  if (order.ask === 'run') return run(randomSchedule(order.seed));
  if (order.ask === 'replay') return run(order.schedule);
  const expected = run(order.schedule).violation?.invariant;
  return run(reduce(order.schedule, (candidate) => run(candidate).violation?.invariant === expected));
}

process.on('message', (order: Order) => {
  // Simulations run in macrotasks, so all consequences of one are finished before the next.
  setImmediate(() => process.send?.(answer(order)));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
