/**
 * One field of one object at a time, null or of another type: no stage throws or fails, and nothing independent of that
 * object changes.
 */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { Attempt } from '../src/corruption/fuzz.ts';
import { Fuzz } from '../src/corruption/fuzz-property.ts';
import { type Dose, doses, poisoned } from '../src/corruption/poison.ts';
import { PoisonWard } from '../src/corruption/poison-ward.ts';
import { WARD_FLEET } from '../src/corruption/ward-fleet.ts';
import type { Change } from '../src/fleets/fleet.ts';
import { retained } from '../src/stored.ts';

const DOSES = scaledRuns(600);

const KINDS = [
  'Pod',
  'Service',
  'EndpointSlice',
  'Node',
  'Namespace',
  'Deployment',
  'StatefulSet',
  'ConfigMap',
  'MeshConfig',
  'VirtualService',
];
const MANAGED = ['VirtualMesh', 'TrafficPolicy', 'AccessPolicy'];

const all: ReadonlyArray<readonly [Change, Dose]> = WARD_FLEET.flatMap((change) =>
  doses(change.object).map((dose) => [change, dose] as const),
);

test('every kind that is read is among the corrupted ones', () => {
  const spoilt = new Set(all.map(([{ object }]) => object.kind));
  for (const kind of [...KINDS, ...MANAGED]) assert.ok(spoilt.has(kind), kind);
  assert.ok(all.length > 2000, `${all.length} doses`);
});

test('a corrupted object affects nothing that does not depend on it', () => {
  const ward = new PoisonWard(WARD_FLEET);
  assert.ok(ward.size > 20, `${ward.size} outputs`);
  const chosen = DOSES >= all.length ? all : fc.sample(fc.constantFrom(...all), { numRuns: DOSES, seed: 20_261_121 });
  const harm = chosen.flatMap(([change, dose]) =>
    ward.give(change, {
      object: poisoned(change.object, dose),
      what: `${dose.path.join('.')} = ${JSON.stringify(dose.value)}`,
      mayMakeSense: false,
    }),
  );
  assert.equal(harm.slice(0, 20), []);
});

for (const { name, value: attempt } of retained<Attempt>('object')) {
  test(`stored: ${name}`, () => {
    new Fuzz(WARD_FLEET).try(attempt);
  });
}

test.run();
