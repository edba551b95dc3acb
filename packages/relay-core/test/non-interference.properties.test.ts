/** The non-interference property with as many runs as CI uses. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import fc from 'fast-check';
import { ADVERSARY, attackedFleets } from './support/adversary.ts';
import { adversaryChangesNothing, isExport } from './support/attack-properties.ts';
import { clusterMismatch } from './support/core.ts';
import { planeOf } from './support/fleet-states.ts';

/** Fleets under attack per CI run. */
const RUNS = scaledRuns(750);

test('the attacks are relevant: some export services to victims, get objects rejected, or exceed the scope of a policy', () => {
  const seen = { exported: 0, refused: 0, excess: 0 };
  for (const { honest, attack } of fc.sample(attackedFleets, { numRuns: 250, seed: 4 })) {
    const { desired, statuses } = planeOf([...honest, ...attack]);
    if (
      [...desired.entries()].some(([, { cluster, object }]) => isExport(object.metadata.name) && cluster !== ADVERSARY)
    )
      seen.exported += 1;
    if (attack.some(({ object }) => clusterMismatch(ADVERSARY, object)?.code === 'CLUSTER_MISMATCH')) seen.refused += 1;
    if ([...statuses.entries()].some(([, { ref, status }]) => ref.cluster === ADVERSARY && status.state === 'DEGRADED'))
      seen.excess += 1;
  }
  for (const [what, times] of Object.entries(seen)) assert.ok(times >= 10, `${what}: ${times}`);
});

test('T7: an adversary that owns every object of a cluster changes nothing about others', () => {
  holdAtRandom({
    what: 'attacked fleets',
    values: attackedFleets,
    property: adversaryChangesNothing,
    runs: RUNS,
    seed: seedOfThisRun(3),
    report: console.log,
  });
});

test.run();
