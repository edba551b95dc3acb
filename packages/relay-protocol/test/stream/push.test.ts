/** Push: the server always ends with the agent's content, and only differences are sent. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { Delta } from '../../src/message.ts';
import { ContentIndex } from '../../src/object/content-index.ts';
import { kindId } from '../../src/object/envelope.ts';
import { ObjectTable } from '../../src/object/object-table.ts';
import { type InputBatch, PushReceiver } from '../../src/stream/push-receiver.ts';
import { PushSender, Sequence } from '../../src/stream/push-sender.ts';
import { contentOf, TestFixture } from '../fixture.ts';
import { cut, deliver, envelope, join, KINDS, keyOf, type Link, send, settle } from '../link.ts';

/** Small enough that objects come in parts and windows fill. */
const TINY = { messageBytes: 1024, windowDeltas: 2, windowBytes: 1500 };

class Fixture {
  readonly table = new ObjectTable();
  readonly fixture = new TestFixture();
  readonly contentIndex = new ContentIndex();
  readonly batches: InputBatch[] = [];
  sequence = new Sequence(1);
  last: { term: number; seq: number } | undefined;
  refused: string[] = [];

  connect(limits: object = TINY): Link {
    const sender = new PushSender({
      cluster: 'c1',
      sequence: this.sequence,
      table: this.table,
      kinds: KINDS,
      limits,
      onRefused: (rejections) => this.refused.push(...rejections.map(({ code, key }) => `${key.name} ${code}`)),
    });
    const receiver = new PushReceiver({
      cluster: 'c1',
      ...(this.last === undefined ? {} : { last: this.last }),
      contentIndex: this.contentIndex,
      limits,
      sink: {
        accept: (batch) => {
          this.batches.push(batch);
          this.last = { term: batch.term, seq: batch.seq };
          return this.fixture.take(batch);
        },
      },
    });
    return join('push', sender, receiver);
  }

  sync(): void {
    for (const kind of KINDS) this.table.markSynced(kind);
  }

  synced(): boolean {
    return KINDS.every(
      (kind) => this.batches.findLast((batch) => kindId(batch.kind) === kindId(kind))?.synced === true,
    );
  }
}

function deltas(link: Link): Delta[] {
  return link.up.log.filter((message): message is Delta => message.type === 'delta');
}

type Op =
  | {
      readonly do: 'set';
      readonly kind: number;
      readonly name: number;
      readonly content: number;
      readonly size: number;
    }
  | { readonly do: 'delete'; readonly kind: number; readonly name: number }
  | { readonly do: 'move'; readonly steps: readonly number[] }
  | { readonly do: 'cut' | 'newTerm' | 'resync' }
  | { readonly do: 'repeat' | 'swap'; readonly at: number };

const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      kind: fc.nat(1),
      name: fc.nat(7),
      content: fc.nat(3),
      size: fc.constantFrom(0, 300, 2500),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), kind: fc.nat(1), name: fc.nat(7) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('move' as const), steps: fc.array(fc.nat(3), { maxLength: 12 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'newTerm' as const, 'resync' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('repeat' as const, 'swap' as const), at: fc.nat(5) }) },
);

function move(link: Link, step: number): void {
  if (step === 0) send(link.up);
  else if (step === 1) send(link.down);
  else if (step === 2) deliver(link, link.up);
  else deliver(link, link.down);
}

/** A bridge that repeats or reorders deltas in transit. */
function mangle(link: Link, what: 'repeat' | 'swap', at: number): void {
  const { queue } = link.up;
  const [first, second] = [queue[at], queue[at + 1]];
  if (first?.type !== 'delta') return;
  if (what === 'repeat') queue.splice(at + 1, 0, first);
  else if (second?.type === 'delta') queue.splice(at, 2, second, first);
}

function play(ops: readonly Op[], mangling: boolean): Fixture {
  const fixture = new Fixture();
  fixture.sync();
  let link = fixture.connect();
  const reconnect = (): void => {
    cut(link);
    link = fixture.connect();
  };
  for (const one of ops) {
    if (one.do === 'set') {
      fixture.table.upsert(envelope(keyOf(one.kind, `n${one.name}`), String(one.content), one.size));
    } else if (one.do === 'delete') fixture.table.delete(keyOf(one.kind, `n${one.name}`));
    else if (one.do === 'move') for (const step of one.steps) move(link, step);
    else if (one.do === 'cut') reconnect();
    else if (one.do === 'resync') (link.down.from as unknown as PushReceiver).resync('asked by the test');
    else if (one.do === 'newTerm') {
      fixture.sequence = new Sequence(fixture.sequence.term + 1);
      reconnect();
    } else if ((one.do === 'repeat' || one.do === 'swap') && mangling) mangle(link, one.do, one.at);
    if (link.failure !== undefined) {
      // Parts that a bridge separated end the stream; nothing else may.
      assert.ok(mangling, `${link.failure.code} ${link.failure.message}`);
      reconnect();
    }
  }
  if (mangling) reconnect();
  settle(link);
  return fixture;
}

test('any changes, cuts and interleavings end with the agent’s content, all kinds synced', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 60 }), (ops) => {
      const fixture = play(ops, false);
      assert.equal(fixture.fixture.content(), contentOf(fixture.table));
      assert.ok(fixture.synced());
    }),
    { numRuns: scaledRuns(400) },
  );
});

test('deltas repeated or reordered in transit do no lasting harm', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 60 }), (ops) => {
      const fixture = play(ops, true);
      assert.equal(fixture.fixture.content(), contentOf(fixture.table));
    }),
    { numRuns: scaledRuns(400) },
  );
});

test('versions only rise', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 40 }), (ops) => {
      const { batches } = play(ops, false);
      batches.reduce((before, batch) => {
        assert.ok(batch.term > before.term || (batch.term === before.term && batch.seq > before.seq));
        return batch;
      });
    }),
    { numRuns: scaledRuns(100) },
  );
});

test('a reconnect sends only differences', () => {
  const names = fc.uniqueArray(fc.nat(200), { maxLength: 60 });
  fc.assert(
    fc.property(names, names, names, (both, onlyAgent, onlyServer) => {
      const fixture = new Fixture();
      const fill = (name: number): void => {
        fixture.table.upsert(envelope(keyOf(name, `n${name}`), 'old'));
      };
      for (const name of [...both, ...onlyServer]) fill(name);
      fixture.sync();
      const first = fixture.connect({});
      settle(first);
      cut(first);
      const gone = onlyServer.filter((name) => !both.includes(name));
      for (const name of gone) fixture.table.delete(keyOf(name, `n${name}`));
      const fresh = onlyAgent.filter((name) => !both.includes(name));
      for (const name of fresh) fixture.table.upsert(envelope(keyOf(name, `n${name}`), 'new'));
      const second = fixture.connect({});
      settle(second);
      assert.equal(fixture.fixture.content(), contentOf(fixture.table));
      const sent = deltas(second);
      assert.is(
        sent.reduce((sum, delta) => sum + delta.upserts.length, 0),
        fresh.length,
      );
      assert.is(
        sent.reduce((sum, delta) => sum + delta.deletes.length, 0),
        gone.filter((name) => !fresh.includes(name)).length,
      );
    }),
    { numRuns: scaledRuns(150) },
  );
});

test('a reconnect without differences costs a few hundred bytes for any number of objects', () => {
  const fixture = new Fixture();
  for (let at = 0; at < 5000; at++) fixture.table.upsert(envelope(keyOf(at, `n${at}`), 'x'));
  fixture.sync();
  const first = fixture.connect({});
  settle(first);
  cut(first);
  const second = fixture.connect({});
  settle(second);
  assert.is(
    deltas(second).every((delta) => delta.upserts.length + delta.deletes.length === 0),
    true,
  );
  assert.ok(second.up.bytes + second.down.bytes < 600, `${second.up.bytes} + ${second.down.bytes} bytes`);
  assert.ok(fixture.synced());
});

test('one changed object of 5000 costs its own size and little more', () => {
  const fixture = new Fixture();
  for (let at = 0; at < 5000; at++) fixture.table.upsert(envelope(keyOf(0, `n${at}`), 'x'));
  fixture.sync();
  const link = fixture.connect({});
  settle(link);
  const before = link.up.bytes + link.down.bytes;
  const changed = envelope(keyOf(0, 'n17'), 'y', 1800);
  fixture.table.upsert(changed);
  settle(link);
  const cost = link.up.bytes + link.down.bytes - before;
  assert.ok(cost <= 1.25 * changed.body.byteLength + 150, `${cost} bytes for ${changed.body.byteLength}`);
});

test('nothing of a kind is sent before the kind is synced', () => {
  const fixture = new Fixture();
  fixture.table.upsert(envelope(keyOf(0, 'a'), 'x'));
  fixture.table.upsert(envelope(keyOf(1, 'b'), 'x'));
  fixture.table.markSynced(keyOf(1, ''));
  const link = fixture.connect();
  settle(link);
  assert.is(fixture.fixture.objects.size, 1);
  assert.not.ok(fixture.synced());
  fixture.table.markSynced(keyOf(0, ''));
  settle(link);
  assert.ok(fixture.synced());
  assert.is(fixture.fixture.objects.size, 2);
});

test('an agent that restarts with an empty, unsynced table deletes nothing', () => {
  const fixture = new Fixture();
  for (let at = 0; at < 10; at++) fixture.table.upsert(envelope(keyOf(0, `n${at}`), 'x'));
  fixture.sync();
  settle(fixture.connect());
  const restarted = new ObjectTable();
  Object.defineProperty(fixture, 'table', { value: restarted });
  fixture.sequence = new Sequence(2);
  settle(fixture.connect());
  assert.is(fixture.fixture.objects.size, 10);
  assert.is(fixture.fixture.deleted, 0);
});

test('many changes while the stream is stuck cost one message: the latest state', () => {
  const fixture = new Fixture();
  fixture.sync();
  const link = fixture.connect({});
  settle(link);
  const before = deltas(link).length;
  for (let at = 0; at < 1000; at++) fixture.table.upsert(envelope(keyOf(0, 'busy'), String(at)));
  settle(link);
  assert.is(deltas(link).length, before + 1);
  assert.equal(fixture.fixture.content(), contentOf(fixture.table));
});

test('an older term is rejected, even after the newer one disconnected', () => {
  const fixture = new Fixture();
  fixture.sync();
  fixture.sequence = new Sequence(5);
  const link = fixture.connect();
  settle(link);
  cut(link);
  fixture.sequence = new Sequence(4);
  assert.throws(
    () => settle(fixture.connect()),
    (error: { code: string }) => error.code === 'RELAY_E_FENCED',
  );
});

test('invalid objects are rejected once, with a reason, and the rest continues', () => {
  const fixture = new Fixture();
  const good = envelope(keyOf(0, 'good'), 'x');
  const poison = envelope(keyOf(0, 'poison'), 'y');
  fixture.fixture.bad.add(poison.hash);
  const large = envelope(keyOf(0, 'large'), 'z', 1000);
  const liar = { ...envelope(keyOf(1, 'liar'), 'z'), hash: good.hash };
  for (const one of [good, poison, large, liar]) fixture.table.upsert(one);
  fixture.sync();
  // The agent's own limit admits objects that the server's does not.
  const sender = new PushSender({
    cluster: 'c1',
    sequence: fixture.sequence,
    table: fixture.table,
    kinds: KINDS,
    limits: TINY,
    onRefused: (rejections) => fixture.refused.push(...rejections.map(({ code, key }) => `${key.name} ${code}`)),
  });
  const receiver = new PushReceiver({
    cluster: 'c1',
    contentIndex: fixture.contentIndex,
    limits: { ...TINY, objectBytes: 900 },
    sink: { accept: (batch) => fixture.fixture.take(batch) },
  });
  const link = join('push', sender, receiver);
  settle(link);
  assert.equal([...fixture.fixture.objects.values()], [good.hash]);
  assert.equal(fixture.refused.sort(), ['large OBJECT_TOO_LARGE', 'liar OBJECT_HASH', 'poison BAD']);
  const again = fixture.connect({ ...TINY, objectBytes: 900 });
  settle(again);
  assert.is(
    deltas(again).reduce((sum, delta) => sum + delta.upserts.length, 0),
    0,
  );
});

test('a cluster beyond its limit keeps the objects that fit', () => {
  const fixture = new Fixture();
  for (let at = 0; at < 9; at++) fixture.table.upsert(envelope(keyOf(0, `n${at}`), 'x'));
  fixture.sync();
  settle(fixture.connect({ objects: 4 }));
  assert.is(fixture.fixture.objects.size, 4);
  assert.is(fixture.refused.filter((one) => one.endsWith('CLUSTER_TOO_LARGE')).length, 5);
});

test('an agent that exceeds its window, or sends out of turn, is disconnected', () => {
  const receiver = () =>
    new PushReceiver({
      cluster: 'c1',
      contentIndex: new ContentIndex(),
      sink: { accept: () => new Promise(() => undefined) },
      limits: { windowDeltas: 2 },
    });
  const hello = { type: 'hello', cluster: '', term: 1, kinds: KINDS, capabilities: [], program: '' } as const;
  const kind = keyOf(0, '');
  const delta = (number: number): Delta => ({ type: 'delta', number, kind, upserts: [], deletes: [], complete: true });
  const code = (expected: string) => (error: { code: string }) => error.code === expected;
  const greedy = receiver();
  greedy.receive(hello);
  greedy.receive(delta(1));
  greedy.receive(delta(2));
  assert.throws(() => greedy.receive(delta(3)), code('RELAY_E_RESOURCE_EXHAUSTED'));
  assert.throws(() => receiver().receive(delta(1)), code('RELAY_E_PROTOCOL'));
  const twice = receiver();
  twice.receive(hello);
  assert.throws(() => twice.receive(hello), code('RELAY_E_PROTOCOL'));
  const other = receiver();
  assert.throws(() => other.receive({ ...hello, cluster: 'c2' }), code('RELAY_E_IDENTITY_MISMATCH'));
  const stranger = receiver();
  stranger.receive(hello);
  const unannounced = { ...delta(1), kind: { group: 'x', version: 'v1', kind: 'Y' } };
  assert.throws(() => stranger.receive(unannounced), code('RELAY_E_PROTOCOL'));
});

test('an agent that sends without reading is stopped, and its requests do not pile up', () => {
  const contentIndex = new ContentIndex();
  const receiver = new PushReceiver({
    cluster: 'c1',
    contentIndex,
    sink: { accept: () => undefined },
    limits: { windowDeltas: 3 },
  });
  const kind = keyOf(0, '');
  const delta = (number: number): Delta => ({ type: 'delta', number, kind, upserts: [], deletes: [], complete: true });
  receiver.receive({ type: 'hello', cluster: '', term: 1, kinds: KINDS, capabilities: [], program: '' });
  for (let round = 0; round < 1000; round++) {
    receiver.receive({ type: 'contentRequest', kind, round, ask: { buckets: (1n << 64n) - 1n } });
  }
  for (const number of [1, 2, 3]) receiver.receive(delta(number));
  assert.throws(
    () => receiver.receive(delta(4)),
    (error: { code: string }) => error.code === 'RELAY_E_RESOURCE_EXHAUSTED',
  );
  const types: string[] = [];
  for (let answer = receiver.next(); answer !== undefined; answer = receiver.next()) types.push(answer.type);
  assert.equal(types, ['welcome', 'ack', 'ack', 'ack', 'have']);
});

test('a missing delta makes the receiver compare again; a late one is rejected', () => {
  const taken: InputBatch[] = [];
  const receiver = new PushReceiver({
    cluster: 'c1',
    last: { term: 1, seq: 10 },
    contentIndex: new ContentIndex(),
    sink: {
      accept: (batch) => {
        taken.push(batch);
        return undefined;
      },
    },
  });
  const kind = keyOf(0, '');
  const delta = (number: number): Delta => ({
    type: 'delta',
    number,
    kind,
    upserts: [{ ...envelope(keyOf(0, 'a'), String(number)) }],
    deletes: [],
    complete: true,
  });
  receiver.receive({ type: 'hello', cluster: '', term: 1, kinds: KINDS, capabilities: [], program: '' });
  for (const number of [11, 13, 12, 14]) receiver.receive(delta(number));
  const answers: string[] = [];
  for (let answer = receiver.next(); answer !== undefined; answer = receiver.next()) answers.push(answer.type);
  assert.equal(answers, ['welcome', 'ack', 'resync', 'ack', 'ack', 'ack']);
  assert.equal(
    taken.map(({ seq, synced }) => [seq, synced]),
    [
      [11, true],
      [13, false],
      [14, false],
    ],
  );
});

test('a delta older than the state of another replica is rejected', () => {
  const receiver = new PushReceiver({
    cluster: 'c1',
    last: { term: 1, seq: 10 },
    contentIndex: new ContentIndex(),
    sink: {
      accept: () => {
        throw new Error('an old delta was taken');
      },
    },
  });
  receiver.receive({ type: 'hello', cluster: '', term: 1, kinds: KINDS, capabilities: [], program: '' });
  receiver.receive({ type: 'delta', number: 10, kind: keyOf(0, ''), upserts: [], deletes: [], complete: true });
  const answers: string[] = [];
  for (let answer = receiver.next(); answer !== undefined; answer = receiver.next()) answers.push(answer.type);
  assert.equal(answers.sort(), ['ack', 'resync', 'welcome']);
});

test('a sink that fails later ends the stream with an internal error', async () => {
  const receiver = new PushReceiver({
    cluster: 'c1',
    contentIndex: new ContentIndex(),
    sink: { accept: () => Promise.reject(new Error('store is gone')) },
  });
  const failed = new Promise<{ code: string; message: string }>((resolve) => {
    receiver.drive({ ready: () => undefined, fail: resolve });
  });
  receiver.receive({ type: 'hello', cluster: 'c1', term: 1, kinds: KINDS, capabilities: [], program: '' });
  receiver.receive({
    type: 'delta',
    number: 1,
    kind: keyOf(0, ''),
    upserts: [],
    deletes: [{ namespace: 'a', name: 'b' }],
    complete: false,
  });
  const { code, message } = await failed;
  assert.is(code, 'RELAY_E_INTERNAL');
  assert.not.match(message, 'store is gone');
});

test('a deletion sent for a synced kind was observed; an object missing in a comparison was not', () => {
  const fixture = new Fixture();
  const kind = keyOf(0, 'a');
  for (const name of ['a', 'b', 'c']) fixture.table.upsert(envelope(keyOf(0, name), '1'));
  fixture.sync();
  let link = fixture.connect({});
  settle(link);
  const of = (name: string): InputBatch | undefined =>
    fixture.batches.find(({ deletes }) => deletes.some((one) => one.name === name));
  assert.ok(
    fixture.batches.every(({ followed }) => !followed),
    'the first picture',
  );
  assert.equal(fixture.batches.at(-1)?.inStep, true);
  fixture.table.delete(keyOf(0, 'a'));
  settle(link);
  assert.equal([of('a')?.followed, of('a')?.inStep], [true, true]);

  fixture.table.markUnsynced(kind);
  fixture.table.delete(keyOf(0, 'b'));
  fixture.table.markSynced(kind);
  settle(link);
  assert.equal([of('b')?.followed, of('b')?.synced], [false, true]);

  cut(link);
  fixture.table.delete(keyOf(0, 'c'));
  link = fixture.connect({});
  settle(link);
  assert.is(of('c')?.followed, false);
});

test.run();
