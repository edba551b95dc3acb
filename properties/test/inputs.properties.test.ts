/**
 * Third-party manifests, with users' mesh objects, under random policies: no user's object changes, and the mesh
 * accepts every output.
 */
import process from 'node:process';
import { assert, scaledRuns, sharedPath, test } from '@meshrelay/testing';
import { holdAtRandom } from '@meshrelay/testing/random-runs';
import { keepHandsOff } from '../src/inputs/hands-off.ts';
import { clusterOf, INPUT_FOLDERS } from '../src/inputs/manifests.ts';
import { randomPolicies } from '../src/inputs/policies.ts';

/** Number of random policy sets per folder. */
const RUNS = scaledRuns(25);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_122);
/** Kinds of policies with outputs in a single cluster, by the cluster's mesh. */
const EFFECTIVE = {
  istio: ['AccessLogRecord', 'AccessPolicy', 'TrafficPolicy', 'VirtualMesh', 'WasmDeployment'],
  osm: ['AccessPolicy', 'TrafficPolicy', 'VirtualMesh'],
} as const;

for (const [folder, mesh] of INPUT_FOLDERS) {
  const path = sharedPath('inputs', folder);
  if (path === undefined) continue;
  test(`${folder}: no policy changes a user's object`, () => {
    const cluster = clusterOf(path, mesh);
    assert.ok(cluster.users.length > 5, 'there is something to read');
    const effective = new Set<string>();
    holdAtRandom({
      what: `sets of policies on ${folder}`,
      values: randomPolicies(cluster, mesh),
      property: (management) => {
        for (const kind of keepHandsOff(cluster, management)) effective.add(kind);
      },
      runs: RUNS,
      seed: SEED,
      report: console.log,
    });
    const idle = EFFECTIVE[mesh].filter((kind) => !effective.has(kind));
    assert.equal(idle, [], 'policies of these kinds came to nothing');
  });
}

test.run();
