/** A worker: translates fleets with a mutant, and posts the results. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FleetSpec } from '@meshrelay/plugin-kit';
import { plant, type SourceMutant } from '@meshrelay/testing/source-mutant';

const { mutant, specs } = workerData as { mutant: SourceMutant | undefined; specs: readonly FleetSpec[] };
if (mutant !== undefined) plant(mutant);
const { translated } = await import('../scenario/translated.ts');
parentPort?.postMessage(specs.map(translated));
