/** A worker: translates all random fleets with a mutant, and posts the results. */
import { parentPort, workerData } from 'node:worker_threads';
import { plant, type SourceMutant } from '@meshrelay/testing/source-mutant';

const { mutant, runs, seed } = workerData as { mutant: SourceMutant | undefined; runs: number; seed: number };
if (mutant !== undefined) plant(mutant);
const { sampledFleets } = await import('../random/sampled-fleets.ts');
const { fleetSpec } = await import('../random/random-fleet.ts');
const { translated } = await import('../scenario/translated.ts');
parentPort?.postMessage(sampledFleets(runs, seed).map((fleet) => translated(fleetSpec(fleet))));
