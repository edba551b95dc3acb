/**
 * Istio's own validation, as its webhook runs it, checks what plugin-istio writes: it covers more than the schemas and
 * rules of its CRDs.
 */
import process from 'node:process';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { randomOutputs } from '@meshrelay/properties/random-outputs';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import type { CustomResource } from '@meshrelay/testing/custom-resources';
import { goldenFleets } from '../../src/golden-fleets.ts';
import { callIstiod } from '../../src/istiod/program.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(200);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_123);

/** Istio's objects, each with the reason for its rejection; '' if it is accepted. */
function admit(objects: readonly CustomResource[]): Array<readonly [CustomResource, string]> {
  const own = objects.filter(({ apiVersion }) => apiVersion.includes('.istio.io/'));
  const answers = callIstiod('validate', own);
  return own.map((object, at) => [object, answers[at] as string]);
}

function assertTaken(objects: readonly CustomResource[]): number {
  const evaluated = admit(objects);
  const refused = evaluated.filter(([, why]) => why !== '').map(([object, why]) => `${why}\n${JSON.stringify(object)}`);
  assert.equal(refused, []);
  return evaluated.length;
}

test('control: an object that the CRDs accept and the webhook does not is rejected', () => {
  const spec = { hosts: ['a'], http: [{ route: [{ destination: { host: 'a' } }], retries: { retryOn: 'sometimes' } }] };
  const object = { apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', metadata: { name: 'a' }, spec };
  const [[, why] = [object, '']] = admit([object]);
  assert.match(why, /retryOn|sometimes/);
});

test('every object of the golden cases is accepted', () => {
  assert.ok(assertTaken(goldenFleets(istioPlugin, fixture).flatMap(({ outputs }) => outputs)) > 500);
});

test(`every object of ${RUNS} random fleets is accepted (seed ${SEED})`, () => {
  assert.ok(assertTaken(randomOutputs(RUNS, SEED)) > RUNS);
});

test.run();
