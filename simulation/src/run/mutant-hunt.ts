/** Runs schedules against each mutant: those known to expose it, or new ones until one does. */
import type { Mutant } from '../mutants/mutant.ts';
import { Worker } from './pool.ts';
import type { Schedule } from './schedule.ts';
import { exposures, type Retained } from './schedule-files.ts';
import type { Report } from './worker.ts';

export interface MutantOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: number;
  readonly report: (line: string) => void;
}

export interface HuntOptions extends MutantOptions {
  /** Number of schedules after which a mutant counts as not caught. */
  readonly attempts: number;
  readonly seed: string;
}

/** Mutants that no known schedule exposes. */
export function unexposed(mutants: readonly Mutant[]): readonly Mutant[] {
  const names = new Set(exposures.all().map(({ name }) => name));
  return mutants.filter(({ name }) => !names.has(name));
}

/** Runs the schedule stored for each mutant, with and without it. @returns the number of caught mutants */
export function proveMutants(mutants: readonly Mutant[], { env, jobs, report }: MutantOptions): Promise<number> {
  const retained = new Map(exposures.all().map((one) => [one.name, one]));
  return countCaught(
    mutants,
    jobs,
    async (mutant, sound) => {
      const schedule = retained.get(mutant.name);
      const line =
        schedule === undefined
          ? 'NOT CAUGHT: no schedule finds it; search with --search'
          : await prove(mutant, schedule, sound, env);
      report(`mutant ${mutant.name}: ${line}`);
      return line.startsWith('caught');
    },
    env,
  );
}

/**
 * Number of other seeds to try if the stored one no longer exposes a mutant: a change of the product shifts message
 * timing.
 */
const OTHERS = 24;

async function prove(
  { name, forgets }: Mutant,
  schedule: Retained,
  sound: Worker,
  env: MutantOptions['env'],
): Promise<string> {
  using sick = await Worker.start({ ...env, MESHRELAY_MUTANT: name });
  for (let at = 0; at <= OTHERS; at++) {
    const order = { ask: 'replay', schedule: { ...schedule, seed: schedule.seed + '+'.repeat(at) } } as const;
    const { violation } = await sick.ask(order);
    if (violation === undefined) continue;
    const healthy = (await sound.ask(order)).violation;
    if (healthy !== undefined) return `NOT CAUGHT: its schedule fails without it, too: ${textOf(healthy)}`;
    return `caught, ${textOf(violation)}`;
  }
  return `NOT CAUGHT any more: no check notices that it drops the rule "${forgets}"; search again with --search --mutant ${name}`;
}

/** Searches for a schedule for each mutant, shrinks it and stores it. @returns the number of caught mutants */
export function huntMutants(mutants: readonly Mutant[], options: HuntOptions): Promise<number> {
  const { env, jobs, report } = options;
  return countCaught(
    mutants,
    jobs,
    async (mutant, sound) => {
      const line = await hunt(mutant, sound, options);
      report(
        `mutant ${mutant.name}: ${line ?? `NOT CAUGHT by ${options.attempts} schedules; it forgets that ${mutant.forgets}`}`,
      );
      return line !== undefined;
    },
    env,
  );
}

async function hunt(mutant: Mutant, sound: Worker, { attempts, seed, env }: HuntOptions): Promise<string | undefined> {
  using sick = await Worker.start({ ...env, MESHRELAY_MUTANT: mutant.name });
  for (let at = 0; at < attempts; at++) {
    const storm = mutant.storms[at % mutant.storms.length];
    const found = await sick.ask({ ask: 'run', seed: `${storm}:${seed}/${at}` });
    // A schedule that also fails without the mutant proves nothing about it.
    if (found.violation === undefined || (await fails(sound, found.schedule))) continue;
    const shrunk = await reduce(sick, found);
    const best = (await fails(sound, shrunk.schedule)) ? found : shrunk;
    if (best.violation === undefined) continue;
    exposures.keep(mutant.name, best.schedule, best.violation);
    return `caught by schedule ${at + 1}, ${textOf(best.violation)}`;
  }
  return undefined;
}

async function fails(sound: Worker, schedule: Schedule): Promise<boolean> {
  return (await sound.ask({ ask: 'replay', schedule })).violation !== undefined;
}

function reduce(sick: Worker, { schedule }: Report): Promise<Report> {
  return sick.ask({ ask: 'shrink', schedule });
}

async function countCaught(
  mutants: readonly Mutant[],
  jobs: number,
  isCaught: (mutant: Mutant, sound: Worker) => Promise<boolean>,
  env: MutantOptions['env'],
): Promise<number> {
  const waiting = [...mutants];
  let caught = 0;
  const work = async (): Promise<void> => {
    using sound = await Worker.start(env);
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift())
      if (await isCaught(mutant, sound)) caught++;
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return caught;
}

function textOf({ invariant, message }: NonNullable<Report['violation']>): string {
  return `${invariant}: ${message.slice(0, 160)}`;
}
