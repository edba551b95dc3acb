/** Runs schedules against each mutant until one of them notices. */
import type { Mutant } from '../mutants/mutant.ts';
import { Worker } from './pool.ts';

export interface HuntOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: number;
  readonly tell: (line: string) => void;
}

/** Schedules after which a mutant counts as not caught. */
const ATTEMPTS = 400;

/** @returns how many were caught */
export async function huntMutants(mutants: readonly Mutant[], { env, jobs, tell }: HuntOptions): Promise<number> {
  const waiting = [...mutants];
  let caught = 0;
  const work = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const line = await hunt(mutant, env);
      if (line === undefined)
        tell(`mutant ${mutant.name}: NOT CAUGHT by ${ATTEMPTS} schedules; it forgets that ${mutant.forgets}`);
      else {
        caught++;
        tell(`mutant ${mutant.name}: ${line}`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return caught;
}

async function hunt({ name }: Mutant, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  using worker = await Worker.start({ ...env, MESHRELAY_MUTANT: name });
  for (let at = 0; at < ATTEMPTS; at++) {
    const { violation } = await worker.ask({ ask: 'run', seed: `mutants/${at}` });
    if (violation !== undefined)
      return `caught by schedule ${at + 1}, ${violation.invariant}: ${violation.message.slice(0, 160)}`;
  }
  return undefined;
}
