/** Runs schedules against each mutant until one of them notices. */
import type { Mutant } from '../mutants/mutant.ts';
import { Worker } from './pool.ts';

export interface HuntOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: number;
  /** Schedules after which a mutant counts as not caught. */
  readonly attempts: number;
  readonly tell: (line: string) => void;
}

/** @returns how many were caught */
export async function huntMutants(
  mutants: readonly Mutant[],
  { env, jobs, attempts, tell }: HuntOptions,
): Promise<number> {
  const waiting = [...mutants];
  let caught = 0;
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const line = await hunt(mutant, attempts, env);
      if (line === undefined)
        tell(`mutant ${mutant.name}: NOT CAUGHT by ${attempts} schedules; it forgets that ${mutant.forgets}`);
      else {
        caught++;
        tell(`mutant ${mutant.name}: ${line}`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return caught;
}

async function hunt({ name }: Mutant, attempts: number, env: HuntOptions['env']): Promise<string | undefined> {
  using sick = await Worker.start({ ...env, MESHRELAY_MUTANT: name });
  using sound = await Worker.start(env);
  for (let at = 0; at < attempts; at++) {
    const order = { ask: 'run', seed: `mutants/${at}` } as const;
    const { violation } = await sick.ask(order);
    // What fails without the mutant, too, says nothing of it.
    if (violation !== undefined && (await sound.ask(order)).violation === undefined)
      return `caught by schedule ${at + 1}, ${violation.invariant}: ${violation.message.slice(0, 160)}`;
  }
  return undefined;
}
