/** A leader ends after any number of its writes: the next one always reaches the same final state. */
import type { KubeObject } from '@meshrelay/api';
import { type OutputBatch, objectId } from '@meshrelay/relay-protocol';
import { silentLogger } from '@meshrelay/telemetry';
import { envelope, NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, test } from '@meshrelay/testing';
import { Applier } from '../../src/apply/applier.ts';
import { DesiredTable } from '../../src/apply/desired-table.ts';
import { Fence, FencedError } from '../../src/apply/fence.ts';
import { LiveObjects } from '../../src/apply/live-objects.ts';
import { ObjectWriter } from '../../src/apply/object-writer.ts';
import { UnconfirmedWrites } from '../../src/apply/unconfirmed-writes.ts';
import { KINDS, RIGHTS, written } from './outputs.ts';

/** Five objects to create or change, two to delete. */
const DESIRED = ['a', 'b', 'c', 'd', 'e'].map((name) => output('VirtualService', name, { hosts: [name] }));
const BEFORE = ['d', 'e', 'x', 'y'].map((name) => output('VirtualService', name, { hosts: ['old'] }));
const WRITES = 7;

const desired = new Set(DESIRED.map((one) => objectId(envelope(one))));
const BATCH: OutputBatch = {
  vector: new Map([['c1', { term: 1, seq: 1 }]]),
  since: new Map(),
  upserts: DESIRED.map(envelope),
  deletes: [],
  complete: true,
  desires: (key) => desired.has(objectId(key)),
};

/** Applies the batch as the leader of a term, and ends after that number of writes. */
async function lead(cluster: TestCluster, term: number, writes: number): Promise<void> {
  const live = new LiveObjects(KINDS.all);
  for (const kind of KINDS.all) {
    const upserts =
      kind === written('VirtualService')
        ? cluster.sim.objects.list({ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService' })
        : [];
    live.take(kind, { all: true, upserts: upserts as unknown as KubeObject[], removed: [], complete: true });
  }
  const table = new DesiredTable();
  let left = writes;
  const writer = new ObjectWriter({
    connection: cluster.connection,
    desired: table,
    live,
    unconfirmed: new UnconfirmedWrites(live),
    isAbsent: () => false,
    forget: async () => true,
    resolved: () => {},
    fence: new Fence({
      term,
      currentTerm: () => {
        if (left-- <= 0) throw new FencedError('it ends here');
        return term;
      },
      validFor: () => 1_000,
      onOutdated: () => {},
    }),
    owner: NAMESPACE,
    requestSignal: () => AbortSignal.timeout(30_000),
  });
  const applier = new Applier({
    kinds: KINDS,
    desired: table,
    live,
    rights: RIGHTS,
    reconcile: (subject) => writer.reconcile(subject),
    patched: () => [],
    beforeDeleting: async () => {},
    owner: NAMESPACE,
    applied: () => {},
    again: () => {},
    outcome: () => {},
    logger: silentLogger,
  });
  await applier.apply(BATCH).catch((error: unknown) => assert.instance(error, FencedError));
}

const state = (cluster: TestCluster): unknown =>
  cluster
    .names('VirtualService')
    .sort()
    .map((name) => [name, cluster.get('VirtualService', name)?.['spec']]);

test(`an end after each of ${WRITES} writes leads to the same objects`, async () => {
  const ends = new Set<string>();
  const partial = new Set<string>();
  for (let writes = 0; writes <= WRITES; writes++) {
    await using cluster = await TestCluster.start({ objects: BEFORE as never });
    await lead(cluster, 1, writes);
    partial.add(JSON.stringify(state(cluster)));
    await lead(cluster, 2, Number.POSITIVE_INFINITY);
    ends.add(JSON.stringify(state(cluster)));
  }
  assert.is(partial.size, WRITES + 1, 'each write was a step');
  assert.equal([...ends], [JSON.stringify(DESIRED.map(({ metadata, spec }) => [metadata.name, spec]))]);
});

test('nothing is deleted before all desired outputs are applied', async () => {
  for (let writes = 0; writes < 5; writes++) {
    await using cluster = await TestCluster.start({ objects: BEFORE as never });
    await lead(cluster, 1, writes);
    for (const name of ['x', 'y']) assert.ok(cluster.get('VirtualService', name), `${name} after ${writes} writes`);
  }
});

test.run();
