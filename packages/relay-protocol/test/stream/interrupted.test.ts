/** Streams that end while a batch is being processed: the result is compared, never guessed. */
import { assert, test } from '@meshrelay/testing';
import { ContentIndex } from '../../src/object/content-index.ts';
import { objectId } from '../../src/object/envelope.ts';
import { ObjectTable } from '../../src/object/object-table.ts';
import { DesiredOutputs } from '../../src/stream/desired-outputs.ts';
import { PullReceiver } from '../../src/stream/pull-receiver.ts';
import { PullSender } from '../../src/stream/pull-sender.ts';
import { PushReceiver } from '../../src/stream/push-receiver.ts';
import { PushSender, Sequence } from '../../src/stream/push-sender.ts';
import { contentOf, TestFixture } from '../fixture.ts';
import { cut, envelope, join, KINDS, keyOf, type Link, settle } from '../link.ts';

/** Does its work on demand, in order, even after its stream ended. */
class SlowFixture extends TestFixture {
  readonly #work: Array<() => void> = [];
  slow = true;

  override take(batch: Parameters<TestFixture['take']>[0]): never {
    if (!this.slow) return super.take(batch) as never;
    return new Promise((resolve) => this.#work.push(() => resolve(super.take(batch)))) as never;
  }

  /** Does all waiting work, and runs its consequences. */
  async work(): Promise<void> {
    for (let piece = this.#work.shift(); piece !== undefined; piece = this.#work.shift()) {
      piece();
      await new Promise((resume) => setImmediate(resume));
    }
  }
}

const one = (content: string) => envelope(keyOf(0, 'one'), content);

function inputs() {
  const table = new ObjectTable();
  const fixture = new SlowFixture();
  const contentIndex = new ContentIndex();
  const sequence = new Sequence(1);
  for (const kind of KINDS) table.markSynced(kind);
  const connect = (): Link => {
    const sender = new PushSender({ cluster: 'c1', sequence, table, kinds: KINDS });
    return join(
      'push',
      sender,
      new PushReceiver({ cluster: 'c1', contentIndex, sink: { accept: (b) => fixture.take(b) } }),
    );
  };
  return { table, fixture, connect, settled: () => contentOf(table) };
}

function outputs() {
  const desired = new DesiredOutputs();
  const fixture = new SlowFixture();
  const contentIndex = new ContentIndex();
  let seq = 0;
  const connect = (): Link => {
    const applier = { apply: (batch: Parameters<TestFixture['take']>[0]) => fixture.take(batch) };
    const receiver = new PullReceiver({
      cluster: 'c1',
      term: 1,
      kinds: KINDS,
      contentIndex,
      applied: new Map(),
      applier,
    });
    return join('pull', receiver, new PullSender({ cluster: 'c1', outputs: desired }));
  };
  const commit = (change: object): void =>
    desired.commit({ vector: new Map([['c', { term: 1, seq: ++seq }]]), complete: true, ...change });
  const table = {
    upsert: (object: ReturnType<typeof one>) => commit({ upserts: [object] }),
    delete: (object: ReturnType<typeof one>) => commit({ deletes: [object] }),
  };
  commit({});
  return { table, fixture, connect, settled: () => contentOf(desired.table) };
}

for (const [what, make] of [
  ['inputs', inputs],
  ['outputs', outputs],
] as const) {
  /** Runs a link to the end, doing the work as it comes. */
  const finish = async ({ fixture }: ReturnType<typeof make>, link: Link): Promise<void> => {
    for (let round = 0; round < 20; round++) {
      settle(link);
      await fixture.work();
    }
    settle(link);
  };

  test(`${what}: a pending change that is reverted meanwhile is reverted at the other end`, async () => {
    const fixture = make();
    fixture.table.upsert(one('a'));
    const first = fixture.connect();
    await finish(fixture, first);
    fixture.table.upsert(one('b'));
    settle(first);
    cut(first);
    // The other end is processing 'b'; here it is 'a' again before it completes.
    fixture.table.upsert(one('a'));
    await finish(fixture, fixture.connect());
    assert.equal(fixture.fixture.content(), fixture.settled());
  });

  test(`${what}: an object that was being created and is no longer desired is deleted`, async () => {
    const fixture = make();
    const first = fixture.connect();
    await finish(fixture, first);
    fixture.table.upsert(one('a'));
    settle(first);
    cut(first);
    fixture.table.delete(one('a'));
    await finish(fixture, fixture.connect());
    assert.is(fixture.fixture.objects.size, 0);
  });

  test(`${what}: an object that was being deleted and is desired again is recreated`, async () => {
    const fixture = make();
    fixture.table.upsert(one('a'));
    const first = fixture.connect();
    await finish(fixture, first);
    fixture.table.delete(one('a'));
    settle(first);
    cut(first);
    fixture.table.upsert(one('a'));
    await finish(fixture, fixture.connect());
    assert.equal([...fixture.fixture.objects], [[objectId(one('a')), one('a').hash]]);
  });

  test(`${what}: late work of the previous stream does not complete changes of this one`, async () => {
    const fixture = make();
    fixture.table.upsert(one('a'));
    const first = fixture.connect();
    await finish(fixture, first);
    fixture.table.upsert(one('b'));
    settle(first);
    cut(first);
    fixture.table.upsert(one('c'));
    const second = fixture.connect();
    settle(second);
    cut(second);
    fixture.table.upsert(one('b'));
    await finish(fixture, fixture.connect());
    assert.equal(fixture.fixture.content(), fixture.settled());
  });
}

test.run();
