/**
 * `npm run test:simulation -- [--schedules N] [--seed S] [--jobs N] [--only SEED]`: kept schedules, then random ones.
 * `npm run test:mutants -- [--mutant NAME] [--attempts N] [--jobs N]`: random schedules against each mutant, until one fails.
 * The last line is `N passed, N failed`.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { MUTANTS } from '../mutants/mutants.ts';
import { credentialsFile } from './credentials-file.ts';
import { keep, keptSchedules } from './kept.ts';
import { huntMutants } from './mutant-hunt.ts';
import { Worker } from './pool.ts';
import type { Report } from './worker.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '5000' },
    seed: { type: 'string', default: 'meshrelay' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    attempts: { type: 'string', default: '400' },
  },
});

/** Failures after which the rest would only say the same. */
const ENOUGH = 10;
/** Schedules that one process runs. */
const PER_WORKER = 250;
/** Schedules that are run twice, to see that they go the same way. */
const TWICE = 3;

const env = { MESHRELAY_CREDENTIALS: JSON.stringify(await credentialsFile()) };
const totals = { passed: 0, failed: 0, steps: 0, checks: 0, longest: 0 };
if (values.mutants || values.mutant !== undefined) {
  await runMutants();
} else {
  await runSchedules();
  if (values.only === undefined) await runTwice();
}
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;

async function runSchedules(): Promise<void> {
  const kept = values.only === undefined ? keptSchedules() : [];
  const count = values.only === undefined ? Number(values.schedules) : 1;
  const seeds = Array.from({ length: count }, (_, at) => values.only ?? `${values.seed}/${at}`);
  console.log(`simulation: ${kept.length} kept schedules, ${count} of seed ${values.only ?? values.seed}`);
  const orders = [
    ...kept.map((schedule) => ({ ask: 'replay', schedule }) as const),
    ...seeds.map((seed) => ({ ask: 'run', seed }) as const),
  ];
  let done = 0;
  const work = async (): Promise<void> => {
    while (orders.length > 0 && totals.failed < ENOUGH) {
      using worker = await Worker.start(env);
      // A new process now and then, since the product's caches are made for processes that run one fleet.
      for (const order of orders.splice(0, PER_WORKER)) {
        const report = await worker.ask(order);
        add(report);
        if (report.violation !== undefined) await tell(worker, report, order.ask === 'replay');
        if (++done % 500 === 0) console.log(`${done} schedules, ${totals.steps} steps`);
        if (totals.failed >= ENOUGH) return;
      }
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  const { steps, checks, longest } = totals;
  console.log(`${done} schedules, ${steps} steps, ${checks} judgements; recovery within ${longest / 1000} s`);
}

/** A schedule must go the same way whenever and wherever it is run, or no failure could be looked into. */
async function runTwice(): Promise<void> {
  for (let at = 0; at < TWICE; at++) {
    const order = { ask: 'run', seed: `${values.seed}/${at}` } as const;
    using one = await Worker.start(env);
    using other = await Worker.start(env);
    const [first, second] = await Promise.all([one.ask(order), other.ask(order)]);
    const same = first.steps === second.steps && first.checks === second.checks;
    if (same) totals.passed++;
    else totals.failed++;
    if (!same)
      console.log(`FAILED ${order.seed}: it went ${first.steps} steps in one process, ${second.steps} in another`);
  }
}

function add({ violation, steps, checks, recovery }: Report): void {
  totals.steps += steps;
  totals.checks += checks;
  totals.longest = Math.max(totals.longest, recovery);
  if (violation === undefined) totals.passed++;
  else totals.failed++;
}

/** Says what failed, and keeps the shortest schedule that fails so. */
async function tell(worker: Worker, { schedule, violation }: Report, isKept: boolean): Promise<void> {
  console.log(`FAILED ${schedule.seed}: ${violation?.invariant} at ${violation?.at} ms: ${violation?.message}`);
  if (isKept) return;
  const shrunk = await worker.ask({ ask: 'shrink', schedule });
  for (const operation of shrunk.schedule.operations) console.log(`  ${JSON.stringify(operation)}`);
  if (shrunk.violation !== undefined)
    console.log(`  kept as simulation/kept/${keep(shrunk.schedule, shrunk.violation)}`);
}

async function runMutants(): Promise<void> {
  const chosen = MUTANTS.filter(({ name }) => values.mutant === undefined || name === values.mutant);
  const caught = await huntMutants(chosen, {
    env,
    jobs: Number(values.jobs),
    attempts: Number(values.attempts),
    tell: console.log,
  });
  console.log(`mutants: ${caught}/${chosen.length} caught`);
  totals.passed += caught;
  totals.failed += chosen.length - caught;
}
