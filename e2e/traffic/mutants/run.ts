/**
 * Checks that requests expose wrong translations: all, or those whose names contain a text of MESHRELAY_MUTANT. Each is
 * tried on its scenario, or on the random fleets whose translation it changes, until one has a wrong result.
 */
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { FleetSpec } from '@meshrelay/plugin-kit';
import { assert, test } from '@meshrelay/testing';
import { inOwnNetwork } from '@meshrelay/testing/network';
import { Lab } from '../lab/lab.ts';
import { labPrograms } from '../lab/programs.ts';
import { compared } from '../random/compared.ts';
import { fleetSpec, type RandomFleet } from '../random/random-fleet.ts';
import { sampledFleets } from '../random/sampled-fleets.ts';
import { played } from '../scenario/played.ts';
import { allScenarios } from '../scenario/scenario.ts';
import type { Translated } from '../scenario/translated.ts';
import { MUTANTS, type TranslationMutant } from './mutants.ts';

const RUNS = 50;
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_130);

const text = process.env['MESHRELAY_MUTANT'] ?? '';
const mutants = MUTANTS.filter(({ name }) => text.split(',').some((part) => name.includes(part)));
const programs = await labPrograms((line) => console.log(line));
if (programs === undefined) throw new Error('this machine cannot get Envoy');
await inOwnNetwork('requests expose wrong translations', import.meta.url, async () => {
  const lab = await Lab.start(programs);
  test.after(() => lab[Symbol.asyncDispose]());
  const fleets = sampledFleets(RUNS, SEED);
  const right = await translations(undefined, fleets.map(fleetSpec));
  for (const mutant of mutants)
    test(mutant.name, async () => {
      const begun = performance.now();
      const trial = mutant.scenario === undefined ? exposed(lab, mutant, fleets, right) : exposedBy(lab, mutant);
      const line = await trial.catch((error: Error) => `NOT EXPOSED: ${error.stack}`);
      console.log(`${Math.round(performance.now() - begun)} ms: ${mutant.name}: ${line.slice(0, 900)}`);
      assert.not.match(line, 'NOT EXPOSED');
    });
});

/** By random fleets. */
async function exposed(
  lab: Lab,
  mutant: TranslationMutant,
  fleets: readonly RandomFleet[],
  right: readonly Translated[],
): Promise<string> {
  const changed = (await translations(mutant, fleets.map(fleetSpec))).flatMap((fleet, at) =>
    isDeepStrictEqual(fleet, right[at]) ? [] : [{ at, fleet }],
  );
  for (const [tried, { at, fleet }] of changed.entries()) {
    const { wrong } = await compared(lab, `${mutant.name} ${at}`, fleets[at] as RandomFleet, fleet);
    if (wrong.length > 0) return `exposed by fleet ${tried + 1} of ${changed.length} that differ: ${wrong[0]}`;
  }
  return `NOT EXPOSED by ${changed.length} fleets that differ`;
}

/** By its scenario. */
async function exposedBy(lab: Lab, mutant: TranslationMutant): Promise<string> {
  const scenario = allScenarios().find(({ file, name }) => `${file}: ${name}` === mutant.scenario);
  if (scenario === undefined)
    throw new Error(`mutant ${mutant.name} names the unknown scenario ${mutant.scenario}; correct its name`);
  const [fleet] = await translations(mutant, [scenario.fleet]);
  const wrong = await played(lab, scenario, fleet);
  return wrong.length > 0 ? `exposed by its scenario: ${wrong.join(' ')}` : 'NOT EXPOSED by its scenario';
}

async function translations(
  mutant: TranslationMutant | undefined,
  specs: readonly FleetSpec[],
): Promise<readonly Translated[]> {
  const worker = new Worker(new URL('translating.ts', import.meta.url), { workerData: { mutant, specs } });
  try {
    return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  } finally {
    await worker.terminate();
  }
}

test.run();
