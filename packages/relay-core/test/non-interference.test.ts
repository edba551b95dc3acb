/**
 * An adversary that owns every object of one cluster changes nothing about others, except how its own exported services
 * are reached.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { KubeObject } from '@meshrelay/api';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import { type AttackedFleet, attackedFleets } from './support/adversary.ts';
import { adversaryChangesNothing } from './support/attack-properties.ts';
import { BASE } from './support/base-fleet.ts';

/** Attacks that once violated the property. */
const RETAINED = new URL('./stored/', import.meta.url);
const RUNS = scaledRuns(300);

test('T7: an adversary that owns every object of a cluster changes nothing about others', () => {
  holdAtRandom({
    what: 'attacked fleets',
    values: attackedFleets,
    property: adversaryChangesNothing,
    runs: RUNS,
    seed: seedOfThisRun(0),
    report: console.log,
  });
});

test('the property detects violations: it compares the reports about other clusters, policy by policy', () => {
  const policy = {
    cluster: '',
    object: {
      apiVersion: 'networking.meshrelay.dev/v1alpha1',
      kind: 'TrafficPolicy',
      metadata: { name: 'all', namespace: 'policies' },
      spec: { policy: { requestTimeout: '3s' } },
    } as unknown as KubeObject,
  };
  const attack = BASE.filter(({ cluster, object }) => cluster === 'c1' && object.metadata.name === 'b').map(
    ({ cluster, object }) => {
      const { mesh: _mesh, ...spec } = object.spec as { readonly mesh?: object };
      return { cluster, object: { ...object, spec } as KubeObject };
    },
  );
  assert.is(attack.length, 1);
  assert.throws(
    () => adversaryChangesNothing({ honest: [...BASE, policy], attack }),
    /policy \["TrafficPolicy","","policies","all"\]: Destination c1 y b was .*NOT_IN_A_MESH/,
  );
});

for (const name of readdirSync(RETAINED).filter((file) => file.endsWith('.json'))) {
  test(`stored: ${name}`, () => {
    adversaryChangesNothing(JSON.parse(readFileSync(new URL(name, RETAINED), 'utf8')) as AttackedFleet);
  });
}

test.run();
