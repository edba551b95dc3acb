/** Requests that are really sent: between pods whose Envoys a real istiod configures, under policies as the product translates them. */
import process from 'node:process';
import { assert, test } from '@meshrelay/testing';
import { inOwnNetwork } from '@meshrelay/testing/network';
import { Lab } from './lab/lab.ts';
import { labPrograms } from './lab/programs.ts';
import { played } from './scenario/played.ts';
import { allScenarios } from './scenario/scenario.ts';

/** Only scenarios whose file and name have this text. */
const ONLY = process.env['MESHRELAY_SCENARIO'] ?? '';

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
  });

test.run();
