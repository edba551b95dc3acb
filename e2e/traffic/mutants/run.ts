/**
 * Checks that requests in random fleets expose wrong translations: all, or those whose names contain MESHRELAY_MUTANT.
 * Each is tried on the fleets whose translation it changes, until one has a wrong result.
 */
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { assert, test } from '@meshrelay/testing';
import { inOwnNetwork } from '@meshrelay/testing/network';
import type { SourceMutant } from '@meshrelay/testing/source-mutant';
import { Lab } from '../lab/lab.ts';
import { labPrograms } from '../lab/programs.ts';
import { compared } from '../random/compared.ts';
import type { RandomFleet } from '../random/random-fleet.ts';
import { sampledFleets } from '../random/sampled-fleets.ts';
import type { Translated } from '../scenario/translated.ts';
import { MUTANTS } from './mutants.ts';

const RUNS = 50;
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_126);

const text = process.env['MESHRELAY_MUTANT'] ?? '';
const mutants = MUTANTS.filter(({ name }) => text.split(',').some((part) => name.includes(part)));
const programs = await labPrograms((line) => console.log(line));
if (programs === undefined) throw new Error('this machine cannot get Envoy');
await inOwnNetwork('random fleets expose wrong translations', import.meta.url, async () => {
  const lab = await Lab.start(programs);
  test.after(() => lab[Symbol.asyncDispose]());
  const fleets = sampledFleets(RUNS, SEED);
  const right = await translations(undefined);
  for (const mutant of mutants)
    test(mutant.name, async () => {
      const begun = performance.now();
      const line = await exposed(lab, mutant, fleets, right).catch((error: Error) => `NOT EXPOSED: ${error.stack}`);
      console.log(`${Math.round(performance.now() - begun)} ms: ${mutant.name}: ${line.slice(0, 900)}`);
      assert.not.match(line, 'NOT EXPOSED');
    });
});

async function exposed(
  lab: Lab,
  mutant: SourceMutant,
  fleets: readonly RandomFleet[],
  right: readonly Translated[],
): Promise<string> {
  const changed = (await translations(mutant)).flatMap((fleet, at) =>
    isDeepStrictEqual(fleet, right[at]) ? [] : [{ at, fleet }],
  );
  for (const [tried, { at, fleet }] of changed.entries()) {
    const { wrong } = await compared(lab, `${mutant.name} ${at}`, fleets[at] as RandomFleet, fleet);
    if (wrong.length > 0) return `exposed by fleet ${tried + 1} of ${changed.length} that differ: ${wrong[0]}`;
  }
  return `NOT EXPOSED by ${changed.length} fleets that differ`;
}

async function translations(mutant: SourceMutant | undefined): Promise<readonly Translated[]> {
  const worker = new Worker(new URL('translating.ts', import.meta.url), {
    workerData: { mutant, runs: RUNS, seed: SEED },
  });
  try {
    return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  } finally {
    await worker.terminate();
  }
}

test.run();
