/** Istio's own validation, as its webhook runs it, judges what plugin-istio writes: more than the schemas and rules of its CRDs say. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { randomOutputs } from '@meshrelay/properties/random-outputs';
import { assert, test } from '@meshrelay/testing';
import type { CustomResource } from '@meshrelay/testing/custom-resources';
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../src/go-folder.ts';
import { goldenFleets } from '../src/golden-fleets.ts';

/** Random fleets; `MESHRELAY_FLEETS` has others tried. */
const RUNS = Number(process.env['MESHRELAY_FLEETS'] ?? 400);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_123);
/** What Istio's validation may answer in all, in bytes. */
const LONGEST = 2 ** 26;

const program = await goProgram(goFolder('istio-validation'), { tell: (line) => console.log(line) });

/** Those of Istio, each with why it is refused; '' where it is taken. */
function judge(objects: readonly CustomResource[]): Array<readonly [CustomResource, string]> {
  const own = objects.filter(({ apiVersion }) => apiVersion.includes('.istio.io/'));
  const input = own.map((object) => `${JSON.stringify(object)}\n`).join('');
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: LONGEST });
  assert.is(status, 0, stderr);
  const answers = stdout.trimEnd().split('\n');
  if (own.length === 0) return [];
  assert.is(answers.length, own.length);
  return own.map((object, at) => [object, JSON.parse(answers[at] as string) as string]);
}

function assertTaken(objects: readonly CustomResource[]): number {
  const judged = judge(objects);
  const refused = judged.filter(([, why]) => why !== '').map(([object, why]) => `${why}\n${JSON.stringify(object)}`);
  assert.equal(refused, []);
  return judged.length;
}

test('control: what the CRDs take and the webhook does not is refused', () => {
  const spec = { hosts: ['a'], http: [{ route: [{ destination: { host: 'a' } }], retries: { retryOn: 'sometimes' } }] };
  const object = { apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', metadata: { name: 'a' }, spec };
  const [[, why] = [object, '']] = judge([object]);
  assert.match(why, /retryOn|sometimes/);
});

test('every object of the golden cases is taken', () => {
  assert.ok(assertTaken(goldenFleets(istioPlugin, fixture).flatMap(({ outputs }) => outputs)) > 500);
});

test(`every object of ${RUNS} random fleets is taken (seed ${SEED})`, () => {
  assert.ok(assertTaken(randomOutputs(RUNS, SEED)) > RUNS);
});

test.run();
