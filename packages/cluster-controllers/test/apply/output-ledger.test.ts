/** The ledger: read once, followed for its term, written for the vector, created again when it is deleted. */
import type { InputVector } from '@meshrelay/relay-protocol';
import { silentLogger } from '@meshrelay/telemetry';
import { NAMESPACE, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, ManualClock, test } from '@meshrelay/testing';
import { Fence } from '../../src/apply/fence.ts';
import { OutputLedgerStore } from '../../src/apply/output-ledger.ts';

const NAME = { apiVersion: 'admin.meshrelay.dev/v1alpha1', kind: 'OutputLedger', namespace: NAMESPACE, name: 'agent' };
const vector = (seq: number): InputVector => new Map([['c1', { term: 2, seq }]]);

function setLedger(cluster: TestCluster, spec: object): void {
  const ledger = {
    apiVersion: NAME.apiVersion,
    kind: NAME.kind,
    metadata: { namespace: NAMESPACE, name: 'agent' },
    spec,
  };
  if (cluster.ledger() === undefined) cluster.sim.objects.create(ledger);
  else cluster.sim.objects.update(ledger);
}

async function opened(cluster: TestCluster, term = 4) {
  const outdated: number[] = [];
  const lease = { validFor: 1_000 };
  const fence = new Fence({
    term,
    currentTerm: () => term,
    validFor: () => lease.validFor,
    onOutdated: (seen) => outdated.push(seen),
  });
  const clock = new ManualClock();
  const ledger = await OutputLedgerStore.open({
    connection: cluster.connection,
    namespace: NAMESPACE,
    fence,
    holder: 'agent-0_x',
    applied: () => [{ apiVersion: 'networking.istio.io/v1', kind: 'Gateway', count: 3 }],
    requestSignal: () => AbortSignal.timeout(5_000),
    clock,
    logger: silentLogger,
  });
  return { ledger, outdated, lease, clock };
}

test('the vector is read, and stored with the applied outputs', async () => {
  await using cluster = await TestCluster.start();
  setLedger(cluster, { term: 4, holder: 'agent-0_x', inputVector: { c1: '2/5' } });
  const { ledger } = await opened(cluster);
  await using _ledger = ledger;
  assert.equal(ledger.vector, vector(5));
  ledger.note(vector(6));
  await eventually('it is stored', () => cluster.ledger()?.inputVector?.['c1'] === '2/6');
  assert.equal(cluster.ledger(), {
    term: 4,
    holder: 'agent-0_x',
    inputVector: { c1: '2/6' },
    applied: [{ apiVersion: 'networking.istio.io/v1', kind: 'Gateway', count: 3 }],
  });
});

test('many vector changes are few writes, and the last one is stored at the end', async () => {
  await using cluster = await TestCluster.start();
  setLedger(cluster, { term: 4 });
  const version = () => Number(cluster.sim.objects.get(NAME)?.metadata.resourceVersion);
  const { ledger } = await opened(cluster);
  ledger.note(vector(1));
  await eventually('the first is stored', () => cluster.ledger()?.inputVector?.['c1'] === '2/1');
  const before = version();
  for (let seq = 2; seq <= 50; seq++) ledger.note(vector(seq));
  await ledger[Symbol.asyncDispose]();
  assert.is(cluster.ledger()?.inputVector?.['c1'], '2/50');
  assert.is(version() - before, 1);
});

test('a newer term is reported, and nothing is written under it', async () => {
  await using cluster = await TestCluster.start();
  setLedger(cluster, { term: 4 });
  const { ledger, outdated } = await opened(cluster);
  await using _ledger = ledger;
  setLedger(cluster, { term: 5, inputVector: { c1: '9/9' } });
  ledger.note(vector(1));
  await eventually('it is seen', () => outdated.length > 0);
  await ledger[Symbol.asyncDispose]();
  assert.equal(cluster.ledger(), { term: 5, inputVector: { c1: '9/9' } });
  assert.equal(outdated, [5]);
});

test('without a valid Lease the vector stays unchanged', async () => {
  await using cluster = await TestCluster.start();
  setLedger(cluster, { term: 4, inputVector: { c1: '2/5' } });
  const { ledger, lease } = await opened(cluster);
  lease.validFor = 0;
  ledger.note(vector(6));
  await ledger[Symbol.asyncDispose]();
  assert.is(cluster.ledger()?.inputVector?.['c1'], '2/5');
});

test('a deleted ledger is created again with the same term and vector', async () => {
  await using cluster = await TestCluster.start();
  setLedger(cluster, { term: 4, inputVector: { c1: '2/5' } });
  const { ledger } = await opened(cluster);
  await using _ledger = ledger;
  await eventually('it is watched', () => ledger.watching);
  cluster.sim.objects.delete(NAME);
  await eventually('it is back', () => cluster.ledger()?.inputVector?.['c1'] === '2/5');
  assert.is(cluster.ledger()?.term, 4);
});

test('an unreadable vector is an error that names its component', async () => {
  await using cluster = await TestCluster.start();
  setLedger(cluster, { term: 4, inputVector: { c1: 'later' } });
  const error = await opened(cluster).catch((thrown: unknown) => thrown);
  assert.match(String(error), /inputVector\[c1\]/);
});

test.run();
