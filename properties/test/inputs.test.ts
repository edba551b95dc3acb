/** Others' manifests, users' mesh objects among them, under random policies: nothing of theirs is touched, and every output is one that the mesh takes. */
import process from 'node:process';
import { assert, sharedPath, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { keepHandsOff } from '../src/inputs/hands-off.ts';
import { clusterOf } from '../src/inputs/manifests.ts';
import { randomPolicies } from '../src/inputs/policies.ts';

/** Random sets of policies for each folder; `MESHRELAY_POLICIES` has others tried. */
const RUNS = Number(process.env['MESHRELAY_POLICIES'] ?? 12);
const FOLDERS = [
  ['bookinfo', 'istio'],
  ['istio-samples', 'istio'],
  ['online-boutique', 'istio'],
  ['osm-bookstore', 'osm'],
] as const;

for (const [folder, mesh] of FOLDERS) {
  const path = sharedPath('inputs', folder);
  if (path === undefined) continue;
  test(`${folder}: nothing of the user's is touched, whatever the policies`, () => {
    const cluster = clusterOf(path, mesh);
    assert.ok(cluster.users.length > 5, 'there is something to read');
    let outputs = 0;
    fc.assert(
      fc.property(randomPolicies(cluster, mesh), (management) => {
        outputs += keepHandsOff(cluster, management);
      }),
      { numRuns: RUNS },
    );
    assert.ok(outputs > 0, 'the policies come to something');
  });
}

test.run();
