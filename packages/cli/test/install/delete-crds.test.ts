/** The deletion of CRDs waits for the API server, and says what it waits for. */
import { crds } from '@meshrelay/api/crds';
import { assert, eventually, test } from '@meshrelay/testing';
import { deleteCrds } from '../../src/install/delete-crds.ts';
import { CRD } from '../../src/online/kinds.ts';
import { managementCluster } from '../support/clusters.ts';

const NAMES = crds.map(({ metadata }) => metadata.name);
const [FIRST = ''] = NAMES;

test('a CRD is deleted only after the API server can list its objects', async () => {
  await using cluster = await managementCluster();
  const { sim, connection } = cluster;
  const [plural = '', ...group] = FIRST.split('.');
  const match = { group: group.join('.'), resource: plural, verbs: ['list'] } as const;
  const planned = sim.faults.add({ match, fault: { kind: 'error', code: 429, retryAfterSeconds: 1 } });
  const deleted = deleteCrds(connection, NAMES, 30_000);
  await eventually('the others are gone', async () => (await connection.objects(CRD).list()).length === 1);
  assert.equal(
    (await connection.objects(CRD).list()).map(({ metadata }) => [metadata.name, metadata.deletionTimestamp]),
    [[FIRST, undefined]],
  );
  planned[Symbol.dispose]();
  await deleted;
  assert.equal(await connection.objects(CRD).list(), []);
});

test('a CRD that does not go is named', async () => {
  await using cluster = await managementCluster();
  const { connection } = cluster;
  await connection.objects(CRD).merge({ name: FIRST }, { metadata: { finalizers: ['example.com/held'] } });
  const message = await deleteCrds(connection, NAMES, 0).then(
    () => '',
    (error: Error) => error.message,
  );
  assert.match(
    message,
    `until these CRDs are gone: ${FIRST} (CustomResource deletion is in progress); kubectl describe crd`,
  );
  assert.is((await connection.objects(CRD).list()).length, 1);
});

test('CRDs that do not exist are skipped, and an empty list of them is accepted', async () => {
  await using cluster = await managementCluster({ withCrds: false });
  await deleteCrds(cluster.connection, [], 0);
  await deleteCrds(cluster.connection, NAMES, 0);
});

test.run();
