/** Real requests between pods whose Envoys a real istiod configures, under policies translated by Meshrelay. */
import process from 'node:process';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { inOwnNetwork } from '@meshrelay/testing/network';
import { Lab } from './lab/lab.ts';
import { labPrograms } from './lab/programs.ts';
import { type Compared, compared } from './random/compared.ts';
import { ACCESS_MEMBERS } from './random/reading.ts';
import { sampledFleets } from './random/sampled-fleets.ts';
import { played } from './scenario/played.ts';
import { allScenarios } from './scenario/scenario.ts';
import { selectedNames } from './scenario/selected-names.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(50);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_130);
const RANDOM = `random: what requests do is what policies say that are ACCEPTED without a report, in ${RUNS} fleets (seed ${SEED})`;

/** Rules that the policies of random fleets must have applied to requests, often enough. */
const EXPECTED = [
  ...['trafficShift', 'faultInjection', 'requestTimeout', 'retries', 'mirror', 'headerManipulation', 'corsPolicy'],
  ...['status 200', 'status 403', 'status 500', 'copies that must arrive', 'calls of other clusters'],
];

const scenarios = allScenarios().map((scenario) => ({ scenario, name: `${scenario.file}: ${scenario.name}` }));
const selected = selectedNames([...scenarios.map(({ name }) => name), RANDOM], process.env['MESHRELAY_SCENARIO'] ?? '');
const programs = await labPrograms((line) => console.log(line));
if (programs !== undefined)
  await inOwnNetwork('what policies say is what requests do', import.meta.url, async () => {
    const lab = await Lab.start(programs);
    test.after(() => lab[Symbol.asyncDispose]());
    for (const { scenario, name } of scenarios) {
      if (!selected.has(name)) continue;
      test(name, async () => {
        const begun = performance.now();
        assert.equal(await played(lab, scenario), []);
        console.log(`${Math.round(performance.now() - begun)} ms: ${name}`);
      });
    }
    if (selected.has(RANDOM))
      test(RANDOM, async () => {
        const begun = performance.now();
        const all: Compared[] = [];
        for (const [at, fleet] of sampledFleets(RUNS, SEED).entries())
          all.push(await compared(lab, `fleet ${at}`, fleet));
        assert.equal(all.flatMap(({ wrong }) => wrong).slice(0, 5), []);
        const counts = sumOf(all.map((one) => one.counts));
        console.log(`${Math.round(performance.now() - begun)} ms: random: ${JSON.stringify(counts)}`);
        const isScarce = (least: number) => (what: string) => (counts[what] ?? 0) < least;
        const scarce = [
          ...EXPECTED.filter(isScarce(RUNS / 5)),
          ...[...ACCESS_MEMBERS, 'results with shares', 'several tries'].filter(isScarce(Math.floor(RUNS / 25))),
        ];
        assert.equal(scarce, [], `policies say too little of these: ${JSON.stringify(counts)}`);
      });
  });

function sumOf(all: readonly Compared['counts'][]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [what, count] of all.flatMap((one) => Object.entries(one))) sums[what] = (sums[what] ?? 0) + count;
  return sums;
}

test.run();
