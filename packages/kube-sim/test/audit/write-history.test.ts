/** The history of writes: every author, and no entry without a change. */
import { assert, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { startKubeSim, type WriteRecord } from '../../src/mod.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const A = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };

test('records effective writes, with their author', async () => {
  const records: WriteRecord[] = [];
  await using sim = await startKubeSim({
    controllers: false,
    tokens: { t: { name: 'agent' } },
    recordWrite: (record) => void records.push(record),
  });
  using client = new Client({ ...targetOf(sim.kubeconfig), token: 't' });
  await client.post(MAPS, A);
  await client.post(MAPS, A);
  await client.patch(`${MAPS}/a`, 'merge', { data: { x: '1' } });
  await client.patch(`${MAPS}/a`, 'merge', { data: { x: '1' } });
  await client.post(`${MAPS}?dryRun=All`, { ...A, metadata: { name: 'dry' } });
  await client.delete(`${MAPS}/a`);
  sim.objects.create({ ...A, metadata: { ...A.metadata } });
  assert.equal(
    records.map(({ type, resource, object, previous, actor }) => [
      type,
      resource,
      object['data'],
      previous?.['data'],
      actor?.user,
      actor?.verb,
    ]),
    [
      ['ADDED', 'configmaps', undefined, undefined, 'agent', 'create'],
      ['MODIFIED', 'configmaps', { x: '1' }, undefined, 'agent', 'patch'],
      ['DELETED', 'configmaps', { x: '1' }, { x: '1' }, 'agent', 'delete'],
      ['ADDED', 'configmaps', undefined, undefined, undefined, undefined],
    ],
  );
  assert.equal(
    records.map(({ revision }) => revision),
    records.map(({ revision }) => revision).toSorted((one, other) => one - other),
  );
});

test.run();
