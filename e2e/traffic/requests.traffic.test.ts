/** Requests that are really sent: between pods whose Envoys a real istiod configures, under policies as the product translates them. */
import process from 'node:process';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { inOwnNetwork } from '@meshrelay/testing/network';
import fc from 'fast-check';
import { Lab } from './lab/lab.ts';
import { labPrograms } from './lab/programs.ts';
import { played } from './scenario/played.ts';
import { type Judged, judgedFleet, randomFleets } from './scenario/random-fleet.ts';
import { allScenarios } from './scenario/scenario.ts';

/** Only scenarios whose file and name have this text. */
const ONLY = process.env['MESHRELAY_SCENARIO'] ?? '';
/** Random fleets. */
const RUNS = scaledRuns(50);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_126);
const RANDOM = `random: what policies in force say of requests is what becomes of them, in ${RUNS} fleets (seed ${SEED})`;

const programs = await labPrograms((line) => console.log(line));
if (programs !== undefined)
  await inOwnNetwork('what policies say is what requests do', import.meta.url, async () => {
    const lab = await Lab.start(programs);
    test.after(() => lab[Symbol.asyncDispose]());
    for (const scenario of allScenarios()) {
      const name = `${scenario.file}: ${scenario.name}`;
      if (!name.includes(ONLY)) continue;
      test(name, async () => {
        const begun = performance.now();
        assert.equal(await played(lab, scenario), []);
        console.log(`${Math.round(performance.now() - begun)} ms: ${name}`);
      });
    }
    if (RANDOM.includes(ONLY))
      test(RANDOM, async () => {
        const fleets = fc.sample(randomFleets, { numRuns: RUNS, seed: SEED });
        const all: Judged[] = [];
        for (const fleet of fleets) all.push(await judgedFleet(lab, fleet));
        assert.equal(all.flatMap(({ wrong }, at) => wrong.map((line) => `fleet ${at}: ${line}`)).slice(0, 5), []);
        const compared = all.reduce((sum, one) => sum + one.compared, 0);
        assert.ok(compared > RUNS * 4, `policies say something of only ${compared} requests`);
      });
  });

test.run();
