/**
 * `npm run test:simulation -- [--schedules N] [--from N] [--seed S] [--jobs N] [--only SEED]`: stored schedules, then
 * random ones, from number 0 or another.
 * `npm run test:mutants -- [--mutant NAME] [--jobs N]`: each mutant on the schedule stored for it.
 * `npm run test:mutants -- --search [--mutant NAME] [--attempts N] [--seed S]`: random schedules against each mutant
 * until one fails, which is then stored for it.
 * The last line is `N passed, N failed`.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { MUTANTS } from '../mutants/mutants.ts';
import { credentialsFile } from './credentials-file.ts';
import { huntMutants, proveMutants, unexposed } from './mutant-hunt.ts';
import { Worker } from './pool.ts';
import { failureName, failures } from './schedule-files.ts';
import type { Report } from './worker.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '5000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: 'meshrelay' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    search: { type: 'boolean', default: false },
    attempts: { type: 'string', default: '400' },
  },
});

/** Number of failures after which further ones add no information. */
const ENOUGH = 10;
/** Number of schedules that one process runs. */
const PER_WORKER = 2_500;
/** Number of schedules that are run again alone, to check determinism. */
const AGAIN = 3;
/** The last ones that passed: leftovers of all others could affect them. */
const late: Report[] = [];

const env = { MESHRELAY_CREDENTIALS: JSON.stringify(await credentialsFile()) };
const totals = { passed: 0, failed: 0, steps: 0, checks: 0, longest: 0, digest: 0 };
if (values.mutants || values.mutant !== undefined) {
  await runMutants();
} else {
  await runSchedules();
  if (values.only === undefined) await runAgain();
}
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;

async function runSchedules(): Promise<void> {
  const retained = values.only === undefined ? failures.all() : [];
  const count = values.only === undefined ? Number(values.schedules) : 1;
  const seeds = Array.from({ length: count }, (_, at) => values.only ?? `${values.seed}/${Number(values.from) + at}`);
  console.log(`simulation: ${retained.length} stored schedules, ${count} of seed ${values.only ?? values.seed}`);
  const orders = [
    ...retained.map((schedule) => ({ ask: 'replay', schedule }) as const),
    ...seeds.map((seed) => ({ ask: 'run', seed }) as const),
  ];
  let done = 0;
  const work = async (): Promise<void> => {
    while (orders.length > 0 && totals.failed < ENOUGH) {
      using worker = await Worker.start(env);
      // Starts a new process now and then, because the product's caches are designed for processes that run one fleet.
      for (let ran = 0; ran < PER_WORKER; ran++) {
        // One at a time, so that all processes finish together.
        const order = orders.shift();
        if (order === undefined) return;
        const report = await worker.ask(order);
        add(report);
        if (report.violation === undefined) late.push(report);
        if (late.length > AGAIN) late.shift();
        if (report.violation !== undefined) await notify(worker, report, order.ask === 'replay');
        if (++done % 500 === 0) console.log(`${done} schedules, ${totals.steps} steps`);
        if (totals.failed >= ENOUGH) return;
      }
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  const { steps, checks, longest, digest } = totals;
  console.log(`${done} schedules, ${steps} steps, ${checks} checks; recovery within ${longest / 1000} s`);
  // Equal for the same schedules on any machine, at any time, in any order.
  console.log(`digest ${(digest >>> 0).toString(16).padStart(8, '0')}`);
}

/**
 * A schedule must run identically on any machine, alone or after many others; otherwise no failure could be debugged.
 */
async function runAgain(): Promise<void> {
  for (const { schedule, digest, steps } of late) {
    using alone = await Worker.start(env);
    const again = await alone.ask({ ask: 'replay', schedule });
    if (again.digest === digest) totals.passed++;
    else {
      totals.failed++;
      console.log(`FAILED ${schedule.seed}: ${steps} steps after other schedules, ${again.steps} others alone`);
    }
  }
}

function add({ violation, steps, checks, recovery, digest }: Report): void {
  totals.digest = (totals.digest + digest) | 0;
  totals.steps += steps;
  totals.checks += checks;
  totals.longest = Math.max(totals.longest, recovery);
  if (violation === undefined) totals.passed++;
  else totals.failed++;
}

/** Prints the failure, and stores the shortest schedule that fails in this way. */
async function notify(worker: Worker, { schedule, violation }: Report, isRetained: boolean): Promise<void> {
  console.log(`FAILED ${schedule.seed}: ${violation?.invariant} at ${violation?.at} ms: ${violation?.message}`);
  if (isRetained) return;
  const shrunk = await worker.ask({ ask: 'shrink', schedule });
  for (const operation of shrunk.schedule.operations) console.log(`  ${JSON.stringify(operation)}`);
  if (shrunk.violation === undefined) return;
  const name = failureName(shrunk.schedule, shrunk.violation);
  failures.keep(name, shrunk.schedule, shrunk.violation);
  console.log(`  kept as simulation/regressions/${name}.json`);
}

async function runMutants(): Promise<void> {
  const chosen = MUTANTS.filter(({ name }) => values.mutant === undefined || name === values.mutant);
  const options = { env, jobs: Number(values.jobs), report: console.log };
  // A mutant that no schedule exposes yet is a known gap of the suite. Each run prints it, but it is not a regression.
  const open = values.search ? [] : unexposed(chosen);
  const requested = chosen.filter((mutant) => !open.includes(mutant));
  const caught = values.search
    ? await huntMutants(requested, { ...options, attempts: Number(values.attempts), seed: values.seed })
    : await proveMutants(requested, options);
  for (const { name, forgets } of open)
    console.log(`mutant ${name}: no schedule shows yet that it forgets that ${forgets}`);
  console.log(`mutants: ${caught}/${chosen.length} caught`);
  totals.passed += caught;
  totals.failed += requested.length - caught;
}
