/** Pull: the agent reaches the desired state, never goes back to older inputs, and learns when it has everything. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { Ack, Delta, PullResponse } from '../../src/message.ts';
import { ContentIndex } from '../../src/object/content-index.ts';
import { type ObjectEnvelope, type ObjectKey, objectId } from '../../src/object/envelope.ts';
import { DesiredOutputs } from '../../src/stream/desired-outputs.ts';
import { type OutputBatch, PullReceiver } from '../../src/stream/pull-receiver.ts';
import { PullSender } from '../../src/stream/pull-sender.ts';
import { movedInputs } from '../../src/vector/input-name.ts';
import { GONE, type InputVector } from '../../src/vector/input-vector.ts';
import { contentOf, TestFixture } from '../fixture.ts';
import { cut, deliver, envelope, join, KINDS, keyOf, type Link, send, settle } from '../link.ts';

const TINY = { messageBytes: 1024, windowDeltas: 2, windowBytes: 1500 };

/** The vector {c1: (1, seq), …}. */
function vector(versions: Readonly<Record<string, number | typeof GONE>>): InputVector {
  return new Map(Object.entries(versions).map(([name, seq]) => [name, seq === GONE ? GONE : { term: 1, seq }]));
}

/** One agent, and the outputs of several replicas. */
class Fixture {
  readonly fixture = new TestFixture();
  readonly contentIndex = new ContentIndex();
  readonly batches: OutputBatch[] = [];
  readonly behind: string[] = [];
  readonly sent: string[] = [];
  applied: InputVector = new Map();
  receiver: PullReceiver | undefined;
  /** Inspects each batch while it is applied. */
  check: ((batch: OutputBatch) => void) | undefined;

  connect(outputs: DesiredOutputs, limits: object = {}, receiving: object = limits): Link {
    const sender = new PullSender({
      cluster: 'c1',
      outputs,
      limits,
      onRefused: (rejections) => this.sent.push(...rejections.map(({ key, code }) => `${key.name} ${code}`)),
      onBehind: (result, behind) => this.sent.push(`${result} ${behind.join()}`),
    });
    this.receiver = new PullReceiver({
      cluster: 'c1',
      term: 1,
      kinds: KINDS,
      contentIndex: this.contentIndex,
      applied: this.applied,
      limits: receiving,
      onBehind: (result, behind) => this.behind.push(`${result} ${behind.join()}`),
      applier: {
        apply: (batch) => {
          this.batches.push(batch);
          this.check?.(batch);
          this.applied = batch.vector;
          return this.fixture.take(batch);
        },
      },
    });
    return join('pull', this.receiver, sender);
  }

  lastComplete(): boolean {
    return this.batches.at(-1)?.complete === true;
  }
}

function outputs(versions: InputVector, objects: readonly ObjectEnvelope[], complete = true): DesiredOutputs {
  const desired = new DesiredOutputs();
  desired.commit({ vector: versions, upserts: objects, complete });
  return desired;
}

function objectsIn(link: Link): number {
  return link.down.log
    .filter((message): message is Delta => message.type === 'delta')
    .reduce((sum, { upserts, deletes }) => sum + upserts.length + deletes.length, 0);
}

const a = envelope(keyOf(0, 'a'), '1');
const b = envelope(keyOf(1, 'b'), '1');

type Op =
  | {
      readonly do: 'commit';
      readonly sets: ReadonlyArray<readonly [number, number, number]>;
      readonly deletes: readonly number[];
    }
  | { readonly do: 'move'; readonly steps: readonly number[] }
  | { readonly do: 'cut' | 'resync' };

const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      sets: fc.array(fc.tuple(fc.nat(9), fc.nat(3), fc.constantFrom(0, 300, 2500)), { maxLength: 4 }),
      deletes: fc.array(fc.nat(9), { maxLength: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('move' as const), steps: fc.array(fc.nat(3), { maxLength: 12 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'resync' as const) }) },
);

function move(link: Link, step: number): void {
  if (step === 0) send(link.up);
  else if (step === 1) send(link.down);
  else if (step === 2) deliver(link, link.up);
  else deliver(link, link.down);
}

test('any commits, cuts and interleavings end with the complete desired state', () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 50 }), (ops) => {
      const fixture = new Fixture();
      const desired = outputs(vector({ c1: 0 }), []);
      let link = fixture.connect(desired, TINY);
      let seq = 0;
      for (const one of ops) {
        if (one.do === 'commit') {
          seq++;
          const upserts = one.sets.map(([name, content, size]) =>
            envelope(keyOf(name, `n${name}`), String(content), size),
          );
          const deletes = one.deletes.map((name) => keyOf(name, `n${name}`));
          desired.commit({ vector: vector({ c1: seq }), upserts, deletes, complete: true });
        } else if (one.do === 'move') for (const step of one.steps) move(link, step);
        else if (one.do === 'resync') fixture.receiver?.resync('asked by the test');
        else {
          cut(link);
          link = fixture.connect(desired, TINY);
        }
        assert.is(link.failure, undefined);
      }
      settle(link);
      assert.equal(fixture.fixture.content(), contentOf(desired.table));
      assert.ok(fixture.lastComplete());
    }),
    { numRuns: scaledRuns(400) },
  );
});

const even = envelope(keyOf(1, 'even'), 'there while x + y is even');

/** Outputs of x and y: contents that contain their versions, and an object that comes and goes. */
function desiredAt(x: number, y: number): ObjectEnvelope[] {
  const always = [
    envelope(keyOf(0, 'x'), String(x)),
    envelope(keyOf(1, 'y'), String(y)),
    envelope(keyOf(0, 'xy'), `${x} ${y}`),
  ];
  return (x + y) % 2 === 0 ? [...always, even] : always;
}

/** No batch contradicts its inputs, and a complete batch desires all outputs of them. */
function assertOfItsVector({ vector: versions, upserts, deletes, complete, desires }: OutputBatch): void {
  const [x, y] = ['x', 'y'].map((name) => {
    const version = versions.get(name);
    assert.ok(version !== undefined && version !== GONE, `${name} has a version`);
    return (version as { readonly seq: number }).seq;
  }) as [number, number];
  const desired = new Map(desiredAt(x, y).map((one) => [objectId(one), one.hash]));
  for (const one of upserts) assert.is(desired.get(objectId(one)), one.hash, `${one.name} as ${x}, ${y} make it`);
  for (const key of deletes)
    assert.not.ok(desired.has(objectId(key)), `${key.name} is deleted, and ${x}, ${y} make it`);
  if (complete) for (const key of desiredAt(x, y)) assert.ok(desires(key), `${key.name} counts as desired`);
}

test('replicas with different inputs never take the agent back', () => {
  // The content of each component is a function of its version, so that going back is visible.
  const step = fc.oneof(
    fc.record({
      do: fc.constant('learn' as const),
      replica: fc.nat(1),
      component: fc.nat(1),
      by: fc.integer({ min: 1, max: 2 }),
    }),
    fc.record({ do: fc.constant('switch' as const), replica: fc.nat(1) }),
    fc.record({ do: fc.constant('move' as const), steps: fc.array(fc.nat(3), { maxLength: 10 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const fixture = new Fixture();
      fixture.check = assertOfItsVector;
      const known = [
        [1, 1],
        [1, 1],
      ];
      const commitOf = (replica: number) => {
        const [x = 0, y = 0] = known[replica] ?? [];
        const upserts = desiredAt(x, y);
        const deletes = (x + y) % 2 === 0 ? [] : [even];
        return { vector: vector({ x, y }), upserts, deletes, complete: true };
      };
      const replicas = [new DesiredOutputs(), new DesiredOutputs()];
      for (const [at, replica] of replicas.entries()) replica.commit(commitOf(at));
      let link = fixture.connect(replicas[0] as DesiredOutputs);
      for (const one of steps) {
        if (one.do === 'move') for (const step of one.steps) move(link, step);
        else if (one.do === 'learn') {
          const versions = known[one.replica] as number[];
          versions[one.component] = (versions[one.component] ?? 0) + one.by;
          replicas[one.replica]?.commit(commitOf(one.replica));
        } else {
          cut(link);
          link = fixture.connect(replicas[one.replica] as DesiredOutputs);
        }
        assert.is(link.failure, undefined);
      }
      // In the end both have all inputs.
      const max = [0, 1].map((component) => Math.max(...known.map((versions) => versions[component] ?? 0)));
      replicas.forEach((replica, at) => {
        known[at] = [...max];
        replica.commit(commitOf(at));
      });
      settle(link);
      assert.equal(fixture.fixture.content(), contentOf((replicas[0] as DesiredOutputs).table));
      fixture.batches.reduce((before, { vector: after }) => {
        for (const [name, version] of before) {
          const next = after.get(name);
          assert.ok(version !== GONE && next !== undefined && next !== GONE && next.seq >= version.seq);
        }
        return after;
      }, new Map() as InputVector);
    }),
    { numRuns: scaledRuns(400) },
  );
});

test('outputs of older inputs are rejected and sent again when the replica has caught up', () => {
  const fixture = new Fixture();
  fixture.applied = vector({ c1: 5, c2: 5 });
  const desired = outputs(vector({ c1: 5, c2: 4 }), [a]);
  const link = fixture.connect(desired);
  settle(link);
  assert.equal(fixture.batches, []);
  assert.equal(fixture.behind, ['stale c2']);
  assert.equal(fixture.sent, ['stale c2']);
  desired.commit({ vector: vector({ c1: 5, c2: 6 }), complete: true });
  settle(link);
  assert.equal(fixture.fixture.content(), contentOf(desired.table));
  assert.ok(fixture.lastComplete());
});

test('a missing component is behind; a deleted one is not', () => {
  const fixture = new Fixture();
  fixture.applied = vector({ c1: 5, c2: 5 });
  const desired = outputs(vector({ c1: 6 }), [a]);
  const link = fixture.connect(desired);
  settle(link);
  assert.equal(fixture.batches, []);
  assert.is(fixture.behind[0], 'held c2');
  desired.commit({ vector: vector({ c1: 6, c2: GONE }), complete: true });
  settle(link);
  assert.equal(fixture.fixture.content(), contentOf(desired.table));
});

test('outputs of incomparable inputs wait, a resync is requested, and they are sent again once comparable', () => {
  const fixture = new Fixture();
  fixture.applied = vector({ c1: 5, c2: 5 });
  const desired = outputs(vector({ c1: 6, c2: 4 }), [a, b]);
  const link = fixture.connect(desired);
  settle(link);
  assert.equal(fixture.batches, []);
  assert.is(link.up.log.filter(({ type }) => type === 'resync').length, 1);
  const held = link.up.log.filter((message): message is Ack => message.type === 'ack' && message.result === 'held');
  assert.ok(held.length > 0);
  desired.commit({ vector: vector({ c1: 6, c2: 5 }), complete: true });
  settle(link);
  assert.equal(fixture.fixture.content(), contentOf(desired.table));
  assert.is(fixture.batches.length, 2, 'a batch of each kind');
  assert.ok(fixture.lastComplete());
});

test('a newer vector alone does not release held deltas: the desired state may have changed', () => {
  const fixture = new Fixture();
  const link = fixture.connect(outputs(vector({ c1: 5, c2: 5 }), [a]));
  settle(link);
  const [had, applied] = [fixture.fixture.content(), fixture.batches.length];
  const answers = link.up.log.length;
  const announce = (message: PullResponse) => {
    fixture.receiver?.receive(message);
    while (send(link.up));
  };
  const component = (name: string, seq: number) => ({ name, version: { term: 1, seq } });
  announce({ type: 'vector', full: true, components: [component('c1', 6), component('c2', 4)], last: true });
  announce({ type: 'delta', number: 9, kind: a, upserts: [], deletes: [a], complete: false });
  announce({ type: 'vector', full: false, components: [component('c2', 6)], last: true });
  const acks = link.up.log.slice(answers).filter((message): message is Ack => message.type === 'ack');
  assert.equal(
    acks.map(({ number, result }) => [number, result]),
    [
      [9, 'held'],
      [9, 'stale'],
    ],
  );
  assert.equal(fixture.fixture.content(), had);
  assert.is(fixture.batches.length, applied);
});

test('completeness is not claimed while a pending delta may be rejected as stale', () => {
  // An agent that lost its memory and applied newer inputs: objects missing from a complete batch would be pruned.
  const fixture = new Fixture();
  fixture.applied = vector({ c1: 5, c2: 5 });
  const desired = outputs(vector({ c1: 5, c2: 4 }), [a, b]);
  const link = fixture.connect(desired);
  fixture.check = ({ complete, desires }) => {
    if (complete) for (const key of [a, b]) assert.ok(desires(key), `${key.name} counts as desired`);
  };
  // Both are pending when the server catches up and desires one more.
  while (!link.down.log.some(({ type }) => type === 'delta')) {
    send(link.up);
    deliver(link, link.up);
    send(link.down);
    if (link.down.log.at(-1)?.type !== 'delta') deliver(link, link.down);
  }
  while (send(link.down));
  const more = envelope(keyOf(0, 'more'), '1');
  desired.commit({ vector: vector({ c1: 5, c2: 6 }), upserts: [more], complete: true });
  while (send(link.down));
  settle(link);
  assert.equal(fixture.fixture.content(), contentOf(desired.table));
  assert.ok(fixture.lastComplete());
});

test('a held output that is no longer desired is not applied', () => {
  const fixture = new Fixture();
  fixture.applied = vector({ c1: 5, c2: 5 });
  const desired = outputs(vector({ c1: 6, c2: 4 }), [a, b]);
  const link = fixture.connect(desired);
  settle(link);
  desired.commit({ vector: vector({ c1: 7, c2: 4 }), deletes: [a], complete: true });
  settle(link);
  desired.commit({ vector: vector({ c1: 7, c2: 7 }), complete: true });
  settle(link);
  assert.equal(fixture.fixture.content(), contentOf(desired.table));
});

test('held deltas are given back when a comparison begins, since the comparison does not include them', () => {
  const fixture = new Fixture();
  fixture.applied = vector({ c1: 5, c2: 5 });
  const desired = outputs(vector({ c1: 6, c2: 4 }), [a]);
  const link = fixture.connect(desired);
  settle(link);
  // The object stops being desired while the request for a comparison is in transit.
  fixture.receiver?.resync('asked by the test');
  send(link.up);
  desired.commit({ vector: vector({ c1: 7, c2: 4 }), deletes: [a], complete: true });
  deliver(link, link.up);
  settle(link);
  desired.commit({ vector: vector({ c1: 7, c2: 7 }), complete: true });
  settle(link);
  assert.equal(fixture.fixture.content(), []);
});

test('while the outputs are incomplete, missing objects stay', () => {
  const fixture = new Fixture();
  const first = fixture.connect(outputs(vector({ c1: 1 }), [a, b]));
  settle(first);
  cut(first);
  const before = fixture.batches.length;
  const restarted = outputs(vector({ c1: 2 }), [a], false);
  const link = fixture.connect(restarted);
  settle(link);
  assert.is(fixture.fixture.objects.size, 2);
  assert.not.ok(fixture.batches.slice(before).some(({ complete }) => complete));
  restarted.commit({ vector: vector({ c1: 2 }), complete: true });
  settle(link);
  assert.equal(fixture.fixture.content(), contentOf(restarted.table));
  assert.ok(fixture.lastComplete());
});

test('before the first result nothing is sent, and nothing is complete', () => {
  const fixture = new Fixture();
  const first = fixture.connect(outputs(vector({ c1: 1 }), [a]));
  settle(first);
  cut(first);
  const desired = new DesiredOutputs();
  const link = fixture.connect(desired);
  settle(link);
  assert.equal(
    link.down.log.map(({ type }) => type),
    ['welcome'],
  );
  desired.commit({ vector: vector({ c1: 2 }), complete: true });
  settle(link);
  assert.is(fixture.fixture.objects.size, 0);
});

test('an agent without memory gets all desired outputs before the message that they are complete', () => {
  const fixture = new Fixture();
  // It is sent, and rejected, before the completing batch.
  const poison = envelope(keyOf(0, 'poison'), '2');
  fixture.fixture.bad.add(poison.hash);
  const link = fixture.connect(outputs(vector({ c1: 1 }), [poison, b]), TINY);
  const prunable: string[] = [];
  const have: readonly ObjectKey[] = [keyOf(0, 'poison'), keyOf(1, 'b'), keyOf(1, 'orphan')];
  const take = fixture.fixture.take.bind(fixture.fixture);
  fixture.fixture.take = (batch) => {
    const { complete, desires } = batch as OutputBatch;
    if (complete) prunable.push(...have.filter((key) => !desires(key)).map(objectId));
    return take(batch);
  };
  settle(link);
  assert.equal(prunable, ['networking.istio.io/v1/VirtualService/default/orphan']);
});

/** A body limit for one side, and an object beyond it. */
const SMALL = 200;
const big = envelope(keyOf(1, 'big'), 'x'.repeat(SMALL));

test('an object rejected by the checks stays desired, so that the cluster’s version is not pruned', () => {
  const fixture = new Fixture();
  const link = fixture.connect(outputs(vector({ c1: 1 }), [a, big]), {}, { objectBytes: SMALL });
  settle(link);
  assert.equal(fixture.sent, ['big OBJECT_TOO_LARGE']);
  assert.ok(fixture.lastComplete());
  assert.ok(fixture.batches.at(-1)?.desires(big));
});

test('an object that the cluster rejects is reported, and sent again when the agent requests it', () => {
  const fixture = new Fixture();
  fixture.fixture.bad.add(b.hash);
  const desired = outputs(vector({ c1: 1 }), [a, b]);
  const link = fixture.connect(desired);
  settle(link);
  assert.equal(fixture.sent, ['b BAD']);
  assert.is(fixture.fixture.objects.size, 1);
  const sent = objectsIn(link);
  fixture.fixture.bad.clear();
  fixture.receiver?.resync('the webhook is back');
  settle(link);
  assert.equal(fixture.fixture.content(), contentOf(desired.table));
  assert.is(objectsIn(link), sent + 1, 'only what was refused came again');
});

test('a kind that the agent did not name is sent, so that the agent can report why it rejects it', () => {
  const fixture = new Fixture();
  const other = envelope({ group: 'x', version: 'v1', kind: 'Other', namespace: 'n', name: 'o' }, '1');
  fixture.fixture.bad.add(other.hash);
  settle(fixture.connect(outputs(vector({ c1: 1 }), [a, other])));
  assert.equal(fixture.sent, ['o BAD']);
});

test('a vector that moves without outputs counts: older outputs are rejected afterwards', () => {
  const fixture = new Fixture();
  const desired = outputs(vector({ c1: 1 }), [a]);
  const link = fixture.connect(desired);
  settle(link);
  desired.commit({ vector: vector({ c1: 9 }), complete: true });
  settle(link);
  assert.equal(fixture.receiver?.applied, vector({ c1: 9 }));
  assert.is(fixture.batches.length, 1);
});

test('a batch names the inputs that led to it, without those that moved before without outputs', () => {
  const fixture = new Fixture();
  const desired = outputs(vector({ c2: 1, c1: 1 }), [a]);
  const link = fixture.connect(desired);
  settle(link);
  desired.commit({ vector: vector({ c2: 2, c1: 1 }), complete: true });
  settle(link);
  desired.commit({ vector: vector({ c2: 2, c1: 2 }), upserts: [b], complete: true });
  settle(link);
  // Nor inputs that the server did not send because they have no effect in this cluster.
  const since = vector({ c2: 5, c1: 2 });
  desired.commit({ vector: vector({ c2: 5, c1: 3 }), since, deletes: [b], complete: true });
  desired.commit({ vector: vector({ c2: 5, c1: 4 }), since: vector({ c2: 5, c1: 3 }), deletes: [a], complete: true });
  settle(link);
  assert.equal(
    fixture.batches.map((batch) => movedInputs(batch.vector, batch.since, 9)),
    [['c2/1/1', 'c1/1/1'], ['c1/1/2'], ['c1/1/4'], ['c1/1/4']],
  );
});

test('every batch of the same inputs names all of them', () => {
  const fixture = new Fixture();
  const desired = outputs(vector({ c1: 1 }), [a]);
  const link = fixture.connect(desired, TINY);
  settle(link);
  const large = [1, 2, 3].map((at) => envelope(keyOf(0, `large-${at}`), 'x'.repeat(500)));
  desired.commit({ vector: vector({ c1: 2 }), upserts: large, complete: true });
  settle(link);
  assert.equal(
    fixture.batches.map((batch) => movedInputs(batch.vector, batch.since, 9).join()),
    ['c1/1/1', 'c1/1/2', 'c1/1/2', 'c1/1/2'],
  );
});

test('an asynchronous applier keeps the order and does not block reading', async () => {
  const releases: Array<() => void> = [];
  const order: string[] = [];
  const causes: string[][] = [];
  const receiver = new PullReceiver({
    cluster: 'c1',
    term: 1,
    kinds: KINDS,
    contentIndex: new ContentIndex(),
    applied: new Map(),
    applier: {
      apply: (batch) => {
        order.push(...batch.upserts.map(({ name }) => name));
        causes.push(movedInputs(batch.vector, batch.since, 9));
        return new Promise((resolve) => releases.push(() => resolve(undefined)));
      },
    },
  });
  const desired = outputs(vector({ c1: 1 }), [a]);
  const link = join('pull', receiver, new PullSender({ cluster: 'c1', outputs: desired }));
  settle(link);
  desired.commit({ vector: vector({ c1: 2 }), upserts: [b], complete: true });
  settle(link);
  desired.commit({ vector: vector({ c1: 2, c2: 1 }), complete: true });
  settle(link);
  assert.equal(order, ['a']);
  releases[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  settle(link);
  assert.equal(order, ['a', 'b']);
  // Inputs received while the first batch was applied are recorded; otherwise the cause of the second would be lost.
  assert.equal(causes, [['c1/1/1'], ['c1/1/2', 'c2/1/1']]);
});

test.run();
