/**
 * Objects too large for the relay: both sides report them, their known state stays, and no incomplete kind counts as
 * complete.
 */
import { assert, test } from '@meshrelay/testing';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { ContentIndex } from '../../src/object/content-index.ts';
import { ObjectTable } from '../../src/object/object-table.ts';
import { Quarantine } from '../../src/object/quarantine.ts';
import { DesiredOutputs } from '../../src/stream/desired-outputs.ts';
import { type OutputBatch, PullReceiver } from '../../src/stream/pull-receiver.ts';
import { PullSender } from '../../src/stream/pull-sender.ts';
import { type InputBatch, PushReceiver } from '../../src/stream/push-receiver.ts';
import { PushSender, Sequence } from '../../src/stream/push-sender.ts';
import { TestFixture } from '../fixture.ts';
import { envelope, join, KINDS, keyOf, type Link, settle } from '../link.ts';

/** A body limit, and objects on either side of it. */
const SMALL = 300;
const limits = { objectBytes: SMALL };
const OLDER = CAPABILITIES.filter((capability) => capability !== 'oversized');
const small = (content: string) => envelope(keyOf(0, 'one'), content);
const huge = envelope(keyOf(0, 'one'), 'x', 2 * SMALL);
const other = envelope(keyOf(0, 'other'), 'x');

class Inputs {
  readonly table = new ObjectTable();
  readonly fixture = new TestFixture();
  readonly contentIndex = new ContentIndex();
  readonly quarantine = new Quarantine();
  readonly batches: InputBatch[] = [];
  readonly reportedAgent: string[] = [];
  readonly reportedServer: string[] = [];
  readonly sequence = new Sequence(1);

  connect(agent: readonly string[] = CAPABILITIES, server: readonly string[] = CAPABILITIES): Link {
    for (const kind of KINDS) this.table.markSynced(kind);
    const sender = new PushSender({
      cluster: 'c1',
      sequence: this.sequence,
      table: this.table,
      kinds: KINDS,
      limits,
      capabilities: agent,
      onRefused: (rejections) => this.reportedAgent.push(...rejections.map(({ key, code }) => `${key.name} ${code}`)),
    });
    const receiver = new PushReceiver({
      cluster: 'c1',
      contentIndex: this.contentIndex,
      quarantine: this.quarantine,
      capabilities: server,
      sink: {
        accept: (batch) => {
          this.batches.push(batch);
          return this.fixture.take(batch);
        },
        refused: (rejections) => this.reportedServer.push(...rejections.map(({ key, code }) => `${key.name} ${code}`)),
      },
    });
    return join('push', sender, receiver);
  }

  /** Whether the kind of the object was last reported as synced. */
  get synced(): boolean | undefined {
    return this.batches.findLast(({ kind }) => kind.kind === huge.kind)?.synced;
  }

  get retained(): string[] {
    return [...this.quarantine.rejections].map(({ key, code }) => `${key.name} ${code}`);
  }
}

test('a kind with an object too large to be sent is not complete, and both sides know why', () => {
  const inputs = new Inputs();
  inputs.table.upsert(huge);
  inputs.table.upsert(other);
  const link = inputs.connect();
  settle(link);
  assert.is(inputs.fixture.objects.size, 1, 'the rest continues');
  assert.is(inputs.synced, false);
  assert.equal(inputs.reportedAgent, ['one OBJECT_TOO_LARGE']);
  assert.equal(inputs.reportedServer, ['one OBJECT_TOO_LARGE']);
  assert.equal(inputs.retained, ['one OBJECT_TOO_LARGE']);
  inputs.table.upsert(small('1'));
  settle(link);
  assert.is(inputs.synced, true, 'it fits now');
  assert.equal(inputs.retained, []);
});

test('deleting the object completes its kind', () => {
  const inputs = new Inputs();
  inputs.table.upsert(huge);
  const link = inputs.connect();
  settle(link);
  assert.is(inputs.synced, false);
  inputs.table.delete(huge);
  settle(link);
  assert.is(inputs.synced, true);
  assert.equal(inputs.retained, []);
});

test('an object that grew too large keeps its last state, and its kind stays synced', () => {
  const inputs = new Inputs();
  inputs.table.upsert(small('1'));
  const link = inputs.connect();
  settle(link);
  inputs.table.upsert(huge);
  settle(link);
  assert.equal([...inputs.fixture.objects.values()], [small('1').hash]);
  assert.is(inputs.synced, true);
  assert.equal(inputs.retained, ['one OBJECT_TOO_LARGE']);
});

test('the next stream does not report it again, and does not treat the kind as complete', () => {
  const inputs = new Inputs();
  inputs.table.upsert(huge);
  settle(inputs.connect());
  inputs.batches.length = 0;
  settle(inputs.connect());
  assert.is(inputs.synced, false);
  assert.equal(inputs.reportedServer, ['one OBJECT_TOO_LARGE']);
});

for (const [who, agent, server] of [
  ['server', CAPABILITIES, OLDER],
  ['agent', OLDER, CAPABILITIES],
] as const) {
  test(`with an older ${who} such a kind is never reported as complete`, () => {
    const inputs = new Inputs();
    inputs.table.upsert(huge);
    inputs.table.upsert(other);
    const link = inputs.connect(agent, server);
    settle(link);
    assert.is(inputs.synced, false);
    assert.equal(inputs.reportedAgent, ['one OBJECT_TOO_LARGE']);
    inputs.table.upsert(small('1'));
    settle(link);
    assert.is(inputs.synced, true);
  });
}

test('objects beyond the limit of a cluster keep their kind incomplete', () => {
  const table = new ObjectTable();
  for (let at = 0; at < 4; at++) table.upsert(envelope(keyOf(0, `n${at}`), 'x'));
  for (const kind of KINDS) table.markSynced(kind);
  const batches: InputBatch[] = [];
  const quarantine = new Quarantine();
  const sender = new PushSender({ cluster: 'c1', sequence: new Sequence(1), table, kinds: KINDS });
  const accept = (batch: InputBatch) => void batches.push(batch);
  const receiver = new PushReceiver({
    cluster: 'c1',
    contentIndex: new ContentIndex(),
    quarantine,
    limits: { objects: 3 },
    sink: { accept },
  });
  settle(join('push', sender, receiver));
  const synced = new Map(batches.map((batch) => [batch.kind.kind, batch.synced]));
  assert.equal([...synced].sort(), [
    ['Service', false],
    ['VirtualService', true],
  ]);
  assert.is(quarantine.size, 1);
});

function pull(desired: DesiredOutputs, server: readonly string[]) {
  const batches: OutputBatch[] = [];
  const oversized: string[] = [];
  const fixture = new TestFixture();
  const sender = new PullSender({ cluster: 'c1', outputs: desired, limits, capabilities: server });
  const receiver = new PullReceiver({
    cluster: 'c1',
    term: 1,
    kinds: KINDS,
    contentIndex: new ContentIndex(),
    applied: new Map(),
    onOversized: (rejections) => oversized.push(...rejections.map(({ key, code }) => `${key.name} ${code}`)),
    applier: {
      apply: (batch) => {
        batches.push(batch);
        return fixture.take(batch);
      },
    },
  });
  const link = join('pull', receiver, sender);
  settle(link);
  return { link, batches, oversized };
}

test('an output too large to be sent stays desired, and does not block the deletion of others', () => {
  const desired = new DesiredOutputs();
  desired.commit({ vector: new Map([['c1', { term: 1, seq: 1 }]]), upserts: [huge, other], complete: true });
  const { batches, oversized } = pull(desired, CAPABILITIES);
  assert.equal(oversized, ['one OBJECT_TOO_LARGE']);
  assert.ok(batches.at(-1)?.complete);
  assert.ok(batches.at(-1)?.desires(huge), 'what the cluster has of it must stay');
});

test('an older server, which cannot report it, never marks the outputs as complete', () => {
  const desired = new DesiredOutputs();
  desired.commit({ vector: new Map([['c1', { term: 1, seq: 1 }]]), upserts: [huge, other], complete: true });
  const { batches, link } = pull(desired, OLDER);
  assert.not.ok(batches.at(-1)?.complete, 'the agent must not take the object for gone');
  desired.commit({ vector: new Map([['c1', { term: 1, seq: 2 }]]), upserts: [small('1')], complete: true });
  settle(link);
  assert.ok(batches.at(-1)?.complete);
});

test.run();
