/** Non-interference of the meshes' real plugins, at the scale of CI. */
import { clusterMismatch } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import fc from 'fast-check';
import { adversaryChangesNothing, attackWith, come, isReach } from '../src/attack/attack-property.ts';
import { attackedFleets } from '../src/attack/attacked-fleets.ts';
import { RunningFleet } from '../src/fleets/running-fleet.ts';
import { ATTACKED_FLEETS } from '../src/runs.ts';

test('the attacked fleets are rich: both meshes attack, export services, falsify facts about others and themselves, and write policies beyond their scope', () => {
  const seen = { istio: 0, osm: 0, exported: 0, aboutOthers: 0, aboutItself: 0, excess: 0, isEffective: 0 };
  const count = (what: keyof typeof seen, isSo: boolean): void => {
    if (isSo) seen[what] += 1;
  };
  for (const attacked of fc.sample(attackedFleets, { numRuns: 40, seed: 4 })) {
    const { adversary, peace, lies } = attacked;
    const fleet = new RunningFleet();
    fleet.live(come(peace));
    attackWith(fleet, attacked);
    const { desired, origins, statuses } = fleet.plane;
    count(adversary === 'north' ? 'osm' : 'istio', true);
    count(
      'exported',
      [...desired.entries()].some(([key]) => isReach(origins, key, adversary)),
    );
    const claims = lies
      .filter(({ kind }) => kind === 'Destination')
      .map((lie) => clusterMismatch(adversary, lie)?.code);
    count('aboutOthers', claims.includes('CLUSTER_MISMATCH'));
    count('aboutItself', claims.includes(undefined));
    const own = [...statuses.entries()].filter(([, { ref }]) => ref.cluster === adversary);
    count(
      'excess',
      own.some(([, { status }]) => status.state === 'DEGRADED'),
    );
    count(
      'isEffective',
      [...desired.entries()].some(([, { sourcePolicies }]) => sourcePolicies.some((ref) => ref.cluster === adversary)),
    );
  }
  for (const [what, times] of Object.entries(seen)) assert.ok(times >= 3, `${what}: ${times}`);
});

test('an adversary that owns every object of a cluster changes nothing about others, whatever the meshes', () => {
  const [what, seed] = ['attacks on real meshes', seedOfThisRun(5)];
  holdAtRandom({
    what,
    values: attackedFleets,
    property: adversaryChangesNothing,
    runs: ATTACKED_FLEETS,
    seed,
    report: console.log,
  });
});

test.run();
