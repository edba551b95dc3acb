/** Desired outputs of each cluster, and whether they are complete. */
import { key, setObject } from '@meshrelay/relay-core';
import { movedInputs } from '@meshrelay/relay-protocol';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, test } from '@meshrelay/testing';
import { ClusterOutputs } from '../../src/output/cluster-outputs.ts';
import { DeletionGuard } from '../../src/output/deletion-guard.ts';
import { InputVectors } from '../../src/output/input-vectors.ts';
import { OutputTables } from '../../src/output/output-tables.ts';
import type { SafeMode } from '../../src/output/safe-mode.ts';
import type { Fleet } from '../../src/store/fleet.ts';
import { istioCluster, kubernetesCluster, mesh, timeoutPolicy } from '../support/discovered.ts';
import { envelopeOf } from '../support/envelope.ts';
import { batch, declare, fleetOf, MESH } from '../support/fleet.ts';

async function outputsOf(...clusters: readonly string[]) {
  const fleet = await fleetOf(...clusters);
  for (const [index, name] of clusters.entries()) {
    await fleet.write((transaction, fleetState) => {
      for (const object of istioCluster(name, index + 1)) setObject(transaction, fleetState, name, object);
    });
    await fleet.open(name, 1, [MESH]);
    await fleet.accept(batch(name, 1, [mesh(name)]));
    await declare(fleet, timeoutPolicy(`slow-${name}`, name));
  }
  const safe = { active: false };
  const replaced: string[] = [];
  const outputs = new ClusterOutputs({
    fleet,
    tables: new OutputTables(),
    vectors: new InputVectors({ fleet, managementVersions: () => new Map() }),
    safeMode: () => safe as SafeMode,
    guard: new DeletionGuard({
      fleet,
      owner: 'meshrelay',
      unheard: () => [],
      discoveryFails: () => false,
      logger: silentLogger,
    }),
    replaced: (cluster) => replaced.push(cluster),
    logger: silentLogger,
  });
  fleet.listen((changes, cause) => outputs.update(changes, cause));
  return { fleet, outputs, safe, replaced };
}

const names = (outputs: ClusterOutputs, cluster: string): string[] => {
  const { content } = outputs.of(cluster).table;
  return content
    .kinds()
    .flatMap(({ group, version, kind }) =>
      [...content.entries(`${group}/${version}/${kind}`)].map(([entry]) => `${kind} ${entry}`),
    );
};
const addPolicy = (fleet: Fleet, name: string, cluster: string): Promise<void> =>
  declare(fleet, timeoutPolicy(name, cluster));

test('outputs do not begin in safe mode; afterwards they begin complete', async () => {
  const { outputs, safe, fleet } = await outputsOf('c1', 'c2');
  safe.active = true;
  assert.not(outputs.of('c1').begun);
  await addPolicy(fleet, 'other', 'c1');
  assert.not(outputs.of('c1').begun);
  safe.active = false;
  outputs.move();
  assert.ok(outputs.begun);
  assert.ok(outputs.of('c1').begun);
  assert.equal(names(outputs, 'c1'), ['VirtualService bookinfo/meshrelay-reviews']);
  assert.ok(outputs.of('c1').complete);
  assert.ok(outputs.of('c2').begun, 'a cluster first asked for later, too');
});

test('outputs do not begin while data of an unregistered cluster, which the vector marks as gone, is present', async () => {
  const { outputs, fleet } = await outputsOf('c1', 'ended');
  await fleet.write((transaction, fleetState) => transaction.delete(fleetState.clusters, key('ended')));
  assert.not(outputs.begin());
  await fleet.leaveOut('ended');
  assert.ok(outputs.begun);
});

test('repeated safe mode continues to send, but declares nothing complete', async () => {
  const { outputs, safe } = await outputsOf('c1');
  outputs.begin();
  assert.ok(outputs.of('c1').complete);
  safe.active = true;
  outputs.move();
  assert.not(outputs.of('c1').complete);
});

test('a change is sent to its own cluster only', async () => {
  const { fleet, outputs } = await outputsOf('c1', 'c2');
  outputs.begin();
  let other = 0;
  outputs.of('c2').listen(() => {
    other += 1;
  });
  const before = names(outputs, 'c1').length;
  await fleet.write((transaction, fleetState) =>
    transaction.delete(
      fleetState.policies,
      [...fleetState.policies.entries()].find(([, { ref }]) => ref.name === 'slow-c1')?.[0] ?? '',
    ),
  );
  assert.is(names(outputs, 'c1').length, before - 1);
  assert.is(other, 0);
});

test('inputs of a change are distinguished from earlier inputs without effect', async () => {
  const { fleet, outputs } = await outputsOf('c1', 'c2');
  outputs.begin();
  const causes: string[][] = [];
  outputs.of('c1').listen(({ vector, since = new Map() }) => causes.push(movedInputs(vector, since, 9)));
  await fleet.accept(batch('c2', 2, [mesh('c2')]));
  await fleet.accept(batch('c1', 2, [], { deletes: [envelopeOf(mesh('c1'))] }));
  assert.equal(causes, [['c1/1/2']]);
});

test('a cluster whose agent has seen newer inputs gets each step until it has caught up', async () => {
  const { fleet, outputs } = await outputsOf('c1', 'c2');
  outputs.begin();
  outputs.of('c1');
  let reported = 0;
  outputs.of('c2').listen(() => {
    reported += 1;
  });
  await fleet.accept(batch('c1', 2, [mesh('c1')]));
  assert.is(reported, 0, 'nothing changed for it');
  outputs.behind('c2', ['c1']);
  assert.is(reported, 1);
  assert.equal(outputs.of('c2').vector.get('c1'), { term: 1, seq: 2 });
  await fleet.accept(batch('c1', 3, [mesh('c1')]));
  assert.is(reported, 2);
  outputs.caughtUp('c2');
  await fleet.accept(batch('c1', 4, [mesh('c1')]));
  assert.is(reported, 2);
});

test('a suspended cluster starts over, with outputs not begun until it is resumed', async () => {
  const { fleet, outputs, replaced } = await outputsOf('c1');
  outputs.begin();
  const before = outputs.of('c1');
  await declare(fleet, kubernetesCluster('c1', { suspended: true }));
  assert.equal(replaced, ['c1']);
  assert.is.not(outputs.of('c1'), before);
  assert.not(outputs.of('c1').begun);
  await addPolicy(fleet, 'other', 'c1');
  assert.not(outputs.of('c1').begun);
  await declare(fleet, kubernetesCluster('c1', { suspended: false }));
  assert.ok(outputs.of('c1').begun && outputs.of('c1').complete);
});

test('an object that cannot be encoded does not count as deleted', async () => {
  const { fleet, outputs } = await outputsOf('c1');
  const { desired } = fleet.controlPlane;
  const [[id, good] = []] = [...desired.entries()];
  assert.ok(id !== undefined && good !== undefined);
  const broken = { ...good, object: { ...good.object, spec: { bad: 1n } } };
  const entries = desired.entries.bind(desired);
  Object.assign(desired, { entries: () => [[id, broken]].values() });
  outputs.begin();
  assert.not(outputs.of('c1').complete);
  Object.assign(desired, { entries });
});

test.run();
