/** Others' manifests, users' mesh objects among them, under random policies: nothing of theirs is touched, and every output is one that the mesh takes. */
import process from 'node:process';
import { assert, scaledRuns, sharedPath, test } from '@meshrelay/testing';
import { holdAtRandom } from '@meshrelay/testing/random-runs';
import { keepHandsOff } from '../src/inputs/hands-off.ts';
import { clusterOf, INPUT_FOLDERS } from '../src/inputs/manifests.ts';
import { randomPolicies } from '../src/inputs/policies.ts';

/** Random sets of policies for each folder. */
const RUNS = scaledRuns(25);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_122);
/** Kinds of policies of which something is written in a single cluster, by the mesh that it has. */
const EFFECTIVE = {
  istio: ['AccessLogRecord', 'AccessPolicy', 'TrafficPolicy', 'VirtualMesh', 'WasmDeployment'],
  osm: ['AccessPolicy', 'TrafficPolicy', 'VirtualMesh'],
} as const;

for (const [folder, mesh] of INPUT_FOLDERS) {
  const path = sharedPath('inputs', folder);
  if (path === undefined) continue;
  test(`${folder}: nothing of the user's is touched, whatever the policies`, () => {
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
