/** A follower that cannot reach Redis reports it on its Lease in the management cluster, which needs no Redis. */
import type { KubeObject } from '@meshrelay/api';
import { PROBLEMS_ANNOTATION, PROGRAM_ANNOTATION, REPLICA_LEASES } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import { freePort } from '@meshrelay/testing/processes';
import { PROGRAM } from '../../src/program.ts';
import { ManagementCluster } from '../support/management.ts';

interface ReplicaLease extends KubeObject {
  readonly spec: { readonly holderIdentity?: string };
}

test('a follower that starts without Redis shows its version and its problem, and is removed after its end', async () => {
  await using management = await ManagementCluster.start();
  const store = { type: 'redis', redis: { addresses: [`127.0.0.1:${await freePort()}`] } };
  const announced = (): string[] =>
    REPLICA_LEASES.flatMap((name) => {
      const lease = management.get('coordination.k8s.io/v1', 'Lease', name) as ReplicaLease | undefined;
      if (lease === undefined) return [];
      const { annotations = {} } = lease.metadata;
      const holder = (lease.spec.holderIdentity ?? '').split('_')[0];
      const problems = annotations[PROBLEMS_ANNOTATION]?.replace(/\d{4}-\S+Z/, 'TIME');
      return [[holder, annotations[PROGRAM_ANNOTATION], problems].join(' | ')];
    });
  await using leader = await management.startServer({ replica: 'server-0' });
  {
    await using follower = await management.startServer({ replica: 'server-1', store });
    assert.ok(leader.relayPort !== follower.relayPort);
    const problem =
      'Redis is unreachable since TIME, so this replica gets no changes of clusters whose agents are connected to other replicas';
    const expected = [`server-0 | ${PROGRAM} | `, `server-1 | ${PROGRAM} | ${problem}`];
    await eventually('both are known', () => announced().join() === expected.join(), { seen: announced });
  }
  assert.equal(announced(), [`server-0 | ${PROGRAM} | `, ' |  | ']);
});

test.run();
