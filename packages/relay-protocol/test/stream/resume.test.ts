/** A reconnecting agent: unchanged content costs some 300 bytes and triggers no work. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { CAPABILITIES } from '../../src/capabilities.ts';
import { ContentIndex } from '../../src/object/content-index.ts';
import { type ObjectKind, objectId } from '../../src/object/envelope.ts';
import { KindSets } from '../../src/object/kind-sets.ts';
import { ObjectTable } from '../../src/object/object-table.ts';
import { DesiredOutputs } from '../../src/stream/desired-outputs.ts';
import { type OutputBatch, PullReceiver } from '../../src/stream/pull-receiver.ts';
import { PullSender } from '../../src/stream/pull-sender.ts';
import { type InputBatch, PushReceiver } from '../../src/stream/push-receiver.ts';
import { PushSender, Sequence } from '../../src/stream/push-sender.ts';
import { ResumeHint } from '../../src/stream/resume-hint.ts';
import type { InputVector } from '../../src/vector/input-vector.ts';
import { contentOf, TestFixture } from '../fixture.ts';
import { cut, envelope, join, keyOf, type Link, settle } from '../link.ts';

/** As many kinds as an agent with all plugins has, with names as long. */
const KINDS: readonly ObjectKind[] = Array.from({ length: 30 }, (_, at) => ({
  group: 'networking.meshrelay.dev',
  version: 'v1alpha1',
  kind: at < 2 ? (['Service', 'VirtualService'][at] ?? '') : `AKindWithAName${at}`,
}));
const CLUSTER = 'eu-west-1-production-7';
const key = (name: string, kind = 0) => ({ ...keyOf(kind, name), ...KINDS[kind] });

class Fixture {
  readonly table = new ObjectTable();
  readonly outputs = new DesiredOutputs();
  readonly server = { fixture: new TestFixture(), contentIndex: new ContentIndex(), kindSets: new KindSets() };
  readonly agent = { fixture: new TestFixture(), contentIndex: new ContentIndex(), hint: new ResumeHint() };
  sequence = new Sequence(7);
  vector: InputVector = new Map();
  inputs: InputBatch[] = [];
  batches: OutputBatch[] = [];
  began: boolean[] = [];
  settled = 0;
  serverKnows: readonly string[] = CAPABILITIES;
  agentKnows: readonly string[] = CAPABILITIES;
  readonly #synced = new Set<string>();

  push(): Link {
    const sender = new PushSender({
      cluster: CLUSTER,
      sequence: this.sequence,
      table: this.table,
      kinds: KINDS,
      capabilities: this.agentKnows,
      hint: this.agent.hint,
      program: 'meshrelay-agent/10.20.30',
    });
    const last = this.inputs.at(-1);
    const receiver = new PushReceiver({
      cluster: CLUSTER,
      ...(last === undefined ? {} : { last: { term: last.term, seq: last.seq } }),
      complete: this.#synced.size === KINDS.length,
      contentIndex: this.server.contentIndex,
      kindSets: this.server.kindSets,
      capabilities: this.serverKnows,
      sink: {
        began: (_term, _kinds, resumed) => void this.began.push(resumed),
        accept: (batch) => {
          this.inputs.push(batch);
          if (batch.synced) this.#synced.add(batch.kind.kind);
          return this.server.fixture.take(batch);
        },
      },
    });
    return join('push', sender, receiver);
  }

  pull(): Link {
    const receiver = new PullReceiver({
      cluster: CLUSTER,
      term: this.sequence.term,
      kinds: KINDS,
      contentIndex: this.agent.contentIndex,
      applied: this.vector,
      capabilities: this.agentKnows,
      hint: this.agent.hint,
      program: 'meshrelay-agent/10.20.30',
      applier: {
        apply: (batch) => {
          this.batches.push(batch);
          this.vector = batch.vector;
          return this.agent.fixture.take(batch);
        },
      },
    });
    const sender = new PullSender({
      cluster: CLUSTER,
      outputs: this.outputs,
      capabilities: this.serverKnows,
      kindSets: this.server.kindSets,
      onSettled: () => void this.settled++,
    });
    return join('pull', receiver, sender);
  }

  fill(objects = 500): this {
    for (let at = 0; at < objects; at++) this.table.upsert(envelope(key(`n${at}`, at % 2), 'x'));
    for (const kind of KINDS) this.table.markSynced(kind);
    this.commit(1, objects);
    return this;
  }

  commit(seq: number, objects = 0, complete = true): void {
    // As in a large fleet: a component for each cluster.
    const vector = new Map(Array.from({ length: 200 }, (_, at) => [`cluster-${at}`, { term: 3, seq }]));
    const upserts = Array.from({ length: objects }, (_, at) => envelope(key(`o${at}`, at % 2), String(seq)));
    this.outputs.commit({ vector, upserts, complete });
  }

  /** Both streams once. @returns payload bytes each way */
  visit(): { up: number; down: number } {
    const links = [this.push(), this.pull()];
    for (const link of links) settle(link);
    for (const link of links) cut(link);
    const sum = (lane: 'up' | 'down') => links.reduce((bytes, link) => bytes + link[lane].bytes, 0);
    return { up: sum('up'), down: sum('down') };
  }

  assertSame(): void {
    assert.equal(this.server.fixture.content(), contentOf(this.table));
    assert.equal(this.agent.fixture.content(), contentOf(this.outputs.table));
  }
}

test('a server that has the content of an older number gets the newer number, and nothing else', () => {
  const fixture = new Fixture().fill(20);
  fixture.visit();
  const [{ seq } = { seq: 0 }] = fixture.inputs.slice(-1);
  // Another server received more deltas with the same final content.
  fixture.sequence = new Sequence(7, seq + 5);
  const before = fixture.inputs.length;
  fixture.visit();
  assert.is(fixture.began.at(-1), false);
  const sent = fixture.inputs.slice(before);
  assert.ok((sent.at(-1)?.seq ?? 0) > seq + 5, 'outputs that follow from the older number would be held back for ever');
  assert.ok(sent.every(({ upserts, deletes }) => upserts.length + deletes.length === 0));
  fixture.visit();
  assert.is(fixture.began.at(-1), true);
});

test('an unchanged agent reconnects with 300 bytes each way, and nothing is written or translated', () => {
  const fixture = new Fixture().fill();
  const first = fixture.visit();
  assert.ok(first.up > 10_000);
  const [inputs, upserted] = [fixture.inputs.length, fixture.agent.fixture.upserted];
  const { up, down } = fixture.visit();
  console.log(`    an unchanged agent sends ${up} bytes and receives ${down}`);
  assert.ok(up <= 300, `${up} bytes up`);
  assert.ok(down <= 300, `${down} bytes down`);
  assert.equal(fixture.began, [false, true]);
  assert.is(fixture.inputs.length, inputs, 'nothing to be written');
  assert.is(fixture.agent.fixture.upserted, upserted);
  assert.ok(fixture.batches.at(-1)?.complete, 'the agent knows that it has everything');
  assert.is(fixture.settled, 2, 'and the server that it does');
});

test('after a commit without changes for the agent, the server reports again that the agent has everything', () => {
  const fixture = new Fixture().fill();
  const link = fixture.pull();
  settle(link);
  assert.is(fixture.settled, 1);
  fixture.commit(2);
  settle(link);
  assert.is(fixture.settled, 2);
  cut(link);
});

test('changes after the reconnect are sent as if the stream had never ended', () => {
  const fixture = new Fixture().fill();
  fixture.visit();
  const links = [fixture.push(), fixture.pull()];
  for (const link of links) settle(link);
  fixture.table.upsert(envelope(key('late'), 'x'));
  fixture.table.delete(key('n1', 1));
  fixture.commit(2, 3);
  for (const link of links) settle(link);
  fixture.assertSame();
  assert.ok(fixture.inputs.at(-1)?.synced);
  assert.ok(fixture.batches.at(-1)?.complete);
});

test('a restarted server requests the kinds, and compares', () => {
  const fixture = new Fixture().fill();
  fixture.visit();
  fixture.server.kindSets = new KindSets();
  fixture.visit();
  assert.equal(fixture.began, [false, false]);
  fixture.assertSame();
  assert.ok(fixture.batches.at(-1)?.complete);
});

test('a new term is sent in full: its numbers restart', () => {
  const fixture = new Fixture().fill(10);
  fixture.visit();
  fixture.sequence = new Sequence(8);
  fixture.visit();
  assert.equal(fixture.began, [false, false]);
  assert.is(fixture.inputs.at(-1)?.term, 8);
});

test('an older server rejects resuming as unknown bytes; the agent then sends lists', () => {
  const fixture = new Fixture().fill(10);
  fixture.visit();
  assert.ok(fixture.agent.hint.worthTrying);
  // The error of an older server's decoder for a message that it does not know.
  fixture.agent.hint.ended({ code: 'RELAY_E_PROTOCOL' } as never);
  fixture.serverKnows = [];
  fixture.visit();
  assert.not.ok(fixture.agent.hint.worthTrying);
  fixture.table.upsert(envelope(key('late'), 'x'));
  fixture.visit();
  fixture.assertSame();
});

test('an older agent is served as before', () => {
  const fixture = new Fixture().fill(10);
  fixture.agentKnows = [];
  fixture.visit();
  fixture.visit();
  assert.equal(fixture.began, [false, false]);
  fixture.assertSame();
});

test('kinds that were not requested, or differ from their digest, end the stream', () => {
  for (const bad of ['unasked', 'others'] as const) {
    const receiver = new PushReceiver({
      cluster: CLUSTER,
      contentIndex: new ContentIndex(),
      sink: { accept: () => [] },
    });
    const head = { type: 'hello', cluster: CLUSTER, term: 1, kinds: [], capabilities: [], program: '' } as const;
    receiver.receive(bad === 'unasked' ? head : { ...head, resume: { kinds: new Uint8Array(16) } });
    assert.throws(() => receiver.receive({ type: 'kinds', kinds: KINDS }), /kinds/);
  }
});

test('both ends converge for any changes while the agent is away or reconnects', () => {
  const change = fc.record({
    where: fc.constantFrom('push' as const, 'outputs' as const, 'vector' as const, 'unsynced' as const),
    name: fc.nat(5),
    content: fc.option(fc.nat(2)),
  });
  const visit = fc.record({
    before: fc.array(change, { maxLength: 3 }),
    during: fc.array(change, { maxLength: 3 }),
    steps: fc.nat(6),
    cutShort: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 6 }), (visits) => {
      const fixture = new Fixture().fill(4);
      let seq = 1;
      const apply = ({ where, name, content }: { where: string; name: number; content: number | null }): void => {
        if (where === 'push') {
          if (content === null) fixture.table.delete(key(`n${name}`, name % 2));
          else fixture.table.upsert(envelope(key(`n${name}`, name % 2), String(content)));
        } else if (where === 'outputs') {
          seq++;
          const vector = new Map([['c', { term: 1, seq }]]);
          if (content === null) fixture.outputs.commit({ vector, deletes: [key(`o${name}`)], complete: true });
          else
            fixture.outputs.commit({ vector, upserts: [envelope(key(`o${name}`), String(content))], complete: true });
        } else if (where === 'vector') {
          seq++;
          fixture.outputs.commit({ vector: new Map([['c', { term: 1, seq }]]), complete: content !== null });
        } else {
          const [kind] = KINDS;
          if (kind === undefined) throw new Error('no kinds');
          if (content === null) fixture.table.markUnsynced(kind);
          else fixture.table.markSynced(kind);
        }
      };
      fixture.outputs.commit({ vector: new Map([['c', { term: 1, seq }]]), complete: true });
      fixture.visit();
      for (const { before, during, steps, cutShort } of visits) {
        before.forEach(apply);
        const links = [fixture.push(), fixture.pull()];
        for (let step = 0; step < steps; step++) {
          for (const link of links) {
            for (const lane of [link.up, link.down]) {
              const message = lane.from.next();
              if (message !== undefined) lane.to.receive(lane.codec.decode(lane.codec.encode(message)) as never);
            }
          }
          during.slice(step, step + 1).forEach(apply);
        }
        if (!cutShort) for (const link of links) settle(link);
        for (const link of links) cut(link);
      }
      for (const kind of KINDS) fixture.table.markSynced(kind);
      seq++;
      fixture.outputs.commit({ vector: new Map([['c', { term: 1, seq }]]), complete: true });
      fixture.visit();
      fixture.assertSame();
      assert.ok(fixture.batches.at(-1)?.complete);
      const required = new Set(contentOf(fixture.outputs.table).map((line) => line.split('=')[0]));
      for (const kind of [0, 1])
        for (let at = 0; at < 6; at++) {
          const one = key(`o${at}`, kind);
          assert.is(fixture.batches.at(-1)?.desires(one), required.has(objectId(one)));
        }
    }),
    { numRuns: scaledRuns(300) },
  );
});

test.run();
