/** Requirements on every snapshot store. A test file of each implementation calls `contract`. */
import { Buffer } from 'node:buffer';
import { digestOf } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import {
  kindId,
  type ObjectKey,
  type ObjectKind,
  type Snapshot,
  type SnapshotDelta,
  type SnapshotVersion,
  type StoredObject,
} from '../src/snapshot.ts';
import type { SnapshotChange, SnapshotStore, WriteResult } from '../src/snapshot-store.ts';

/** Access of the suite to an implementation. */
export interface ContractOptions {
  /** A new, empty store. */
  create(): Promise<SnapshotStore>;
  /** Deletes one object's bytes behind the store's back. Omitted by stores to which that cannot happen. */
  lose?(store: SnapshotStore, cluster: string, key: ObjectKey): Promise<void>;
}

export const MESH: ObjectKind = { group: 'discovery.meshrelay.dev', version: 'v1alpha1', kind: 'Mesh' };
export const SERVICE: ObjectKind = { group: '', version: 'v1', kind: 'Service' };
const KINDS = [MESH, SERVICE];

const keyOf = (kind: ObjectKind, name: string, namespace = 'default'): ObjectKey => ({ ...kind, namespace, name });
/** An object whose content is `text`; equal texts have equal hashes. */
function object(kind: ObjectKind, name: string, text: string): StoredObject {
  const body = Uint8Array.from(Buffer.from(JSON.stringify({ name, text })));
  return { ...keyOf(kind, name), hash: Buffer.from(text).toString('hex').padStart(32, '0'), body };
}
const step = (seq: number, changes: Partial<SnapshotDelta> = {}): SnapshotDelta => ({
  cluster: 'c1',
  term: 1,
  seq,
  kind: MESH,
  upserts: [],
  deletes: [],
  synced: false,
  ...changes,
});
const reason = (result: WriteResult): string => (result.accepted ? 'accepted' : result.reason);

async function opened(
  store: SnapshotStore,
  cluster = 'c1',
  term = 1,
  kinds: readonly ObjectKind[] = KINDS,
): Promise<SnapshotStore> {
  assert.is(reason(await store.open({ cluster, term, kinds })), 'accepted');
  return store;
}
async function known(store: SnapshotStore, cluster = 'c1'): Promise<Snapshot> {
  const snapshot = await store.read(cluster);
  if (snapshot === undefined) throw new Error(`${cluster} is not known`);
  return snapshot;
}
/** `name=hash` of each object of a kind, sorted. */
function contents({ kinds }: Snapshot, kind: ObjectKind): readonly string[] {
  const found = kinds.find((one) => kindId(one.kind) === kindId(kind));
  return (found?.objects ?? []).map(({ name, hash }) => `${name}=${hash}`).sort();
}
async function take(changes: AsyncIterator<SnapshotChange>, count: number): Promise<readonly SnapshotChange[]> {
  const taken: SnapshotChange[] = [];
  while (taken.length < count) {
    const { value, done } = await changes.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

/** Registers the suite under `name`. */
export function contract(name: string, { create, lose }: ContractOptions): void {
  const it = (what: string, run: (store: SnapshotStore) => Promise<void>): void =>
    test(`${name}: ${what}`, async () => {
      await using store = await create();
      await run(store);
    });

  it('a cluster never heard of is unknown, not empty', async (store) => {
    assert.is(await store.read('c1'), undefined);
    assert.is(await store.digest('c1'), undefined);
    assert.equal(await store.clusters(), []);
    assert.equal(await store.write(step(1)), { accepted: false, reason: 'not-opened', known: undefined });
    assert.is(await store.read('c1'), undefined);
  });

  it('what is written is read back, byte for byte', async (store) => {
    await opened(store);
    const mesh = object(MESH, 'm', 'one');
    assert.equal(await store.write(step(1, { upserts: [mesh] })), { accepted: true, version: { term: 1, seq: 1 } });
    const { version, kinds } = await known(store);
    assert.equal(version, { term: 1, seq: 1 });
    const [read] = kinds.find(({ kind }) => kind.kind === 'Mesh')?.objects ?? [];
    assert.equal({ ...read, body: [...(read?.body ?? [])] }, { ...mesh, body: [...mesh.body] });
  });

  it('a version is claimed only for what was compared, by who asks and by who watches', async (store) => {
    const changes = store.watch(new AbortController().signal)[Symbol.asyncIterator]();
    const claimed = async () => [(await known(store)).compared, (await store.digest('c1'))?.compared];
    const twice = (compared: SnapshotVersion | undefined) => [compared, compared];
    await opened(store);
    await store.write(step(1, { upserts: [object(MESH, 'm', 'one')] }));
    assert.equal(await claimed(), twice(undefined));
    await store.write(step(2, { inStep: true }));
    assert.equal(await claimed(), twice({ term: 1, seq: 2 }));
    await store.open({ cluster: 'c1', term: 2, kinds: KINDS });
    await store.write(step(1, { term: 2, upserts: [object(MESH, 'm', 'two')] }));
    assert.equal(await claimed(), twice({ term: 1, seq: 2 }), 'the version runs ahead of what is known');
    await store.open({ cluster: 'c1', term: 3, kinds: KINDS, resumed: true });
    assert.equal(await claimed(), twice({ term: 3, seq: 0 }), 'who resumes has nothing to compare');
    const sent = (await take(changes, 6)).map((change) => ('compared' in change ? change.compared : 'nothing'));
    assert.equal(sent, [
      undefined,
      undefined,
      { term: 1, seq: 2 },
      { term: 1, seq: 2 },
      { term: 1, seq: 2 },
      { term: 3, seq: 0 },
    ]);
  });

  it('an object sent as name and hash keeps an empty body and is not missing', async (store) => {
    await opened(store);
    await store.write(step(1, { upserts: [{ ...object(MESH, 'm', 'x'), body: new Uint8Array() }] }));
    const { kinds } = await known(store);
    assert.is(kinds.find(({ kind }) => kind.kind === 'Mesh')?.objects[0]?.body.byteLength, 0);
    assert.equal(
      kinds.flatMap(({ missing }) => missing),
      [],
    );
  });

  it('upserts replace, deletes remove, and a step does both', async (store) => {
    await opened(store);
    await store.write(step(1, { upserts: [object(MESH, 'a', '1'), object(MESH, 'b', '1')] }));
    await store.write(
      step(2, { upserts: [object(MESH, 'a', '2')], deletes: [keyOf(MESH, 'b'), keyOf(MESH, 'never')] }),
    );
    assert.equal(contents(await known(store), MESH), [`a=${object(MESH, 'a', '2').hash}`]);
  });

  it('the same name in two namespaces, kinds and clusters is four objects', async (store) => {
    await opened(store);
    await opened(store, 'c2');
    const there = { ...object(MESH, 'x', '1'), namespace: 'other' };
    await store.write(step(1, { upserts: [object(MESH, 'x', '1'), there] }));
    await store.write(step(2, { kind: SERVICE, upserts: [object(SERVICE, 'x', '1')] }));
    await store.write(step(1, { cluster: 'c2', upserts: [object(MESH, 'x', '1')] }));
    assert.is(contents(await known(store), MESH).length, 2);
    assert.is(contents(await known(store), SERVICE).length, 1);
    assert.is(contents(await known(store, 'c2'), MESH).length, 1);
    assert.equal(await store.clusters(), ['c1', 'c2']);
  });

  it('names that are properties of every object are names like others', async (store) => {
    for (const cluster of ['constructor', '__proto__', 'toString']) {
      await opened(store, cluster);
      await store.write(step(1, { cluster, upserts: [object(MESH, '__proto__', '1')] }));
      assert.is(contents(await known(store, cluster), MESH).length, 1);
    }
    assert.is(Reflect.get({}, 'text'), undefined);
  });

  it('an equal, older or overtaken version is refused and changes nothing', async (store) => {
    await opened(store);
    await store.write(step(5, { upserts: [object(MESH, 'a', '5')] }));
    for (const seq of [5, 4, 1, 0, -1]) {
      const result = await store.write(
        step(seq, { upserts: [object(MESH, 'a', 'old')], deletes: [keyOf(MESH, 'a')], synced: true }),
      );
      assert.equal(result, { accepted: false, reason: 'older', known: { term: 1, seq: 5 } });
    }
    await opened(store, 'c1', 2);
    assert.is(reason(await store.write(step(6))), 'older');
    assert.is(reason(await store.open({ cluster: 'c1', term: 1, kinds: KINDS })), 'older');
    const snapshot = await known(store);
    assert.equal(contents(snapshot, MESH), [`a=${object(MESH, 'a', '5').hash}`]);
    assert.equal(snapshot.version, { term: 2, seq: 0 });
    assert.not.ok(snapshot.kinds.some(({ synced }) => synced));
  });

  it('sequence numbers may skip, and begin again in a new term', async (store) => {
    await opened(store);
    assert.is(reason(await store.write(step(7))), 'accepted');
    await opened(store, 'c1', 3);
    assert.is(reason(await store.write(step(1, { term: 3 }))), 'accepted');
    assert.is(reason(await store.write(step(1, { term: 4 }))), 'not-opened');
  });

  it('continuing with a term keeps its version', async (store) => {
    await opened(store);
    await store.write(step(9));
    assert.equal(await store.open({ cluster: 'c1', term: 1, kinds: KINDS }), {
      accepted: true,
      version: { term: 1, seq: 9 },
    });
    assert.is(reason(await store.write(step(9))), 'older');
  });

  it('a snapshot is complete only when every announced kind is complete', async (store) => {
    await opened(store);
    assert.is((await known(store)).complete, false);
    await store.write(step(1, { synced: true }));
    assert.is((await known(store)).complete, false);
    await store.write(step(2, { kind: SERVICE }));
    assert.is((await known(store)).complete, false);
    await store.write(step(3, { kind: SERVICE, synced: true }));
    assert.is((await known(store)).complete, true);
    await store.write(step(4, { upserts: [object(MESH, 'a', '1')] }));
    assert.is((await known(store)).complete, true, 'a later step takes no mark back');
  });

  it('a cluster that announced no kind is never complete', async (store) => {
    await opened(store, 'c1', 1, []);
    assert.is((await known(store)).complete, false);
    assert.is(reason(await store.write(step(1, { synced: true }))), 'unannounced-kind');
    assert.is((await known(store)).complete, false);
  });

  it('a new term deletes nothing, keeps complete kinds, and waits for kinds it adds', async (store) => {
    await opened(store, 'c1', 1, [MESH]);
    await store.write(step(1, { upserts: [object(MESH, 'a', '1')], synced: true }));
    await opened(store, 'c1', 2, [MESH]);
    assert.is((await known(store)).complete, true);
    await opened(store, 'c1', 3, KINDS);
    const snapshot = await known(store);
    assert.is(snapshot.complete, false);
    assert.is(contents(snapshot, MESH).length, 1);
  });

  it('a kind no longer announced is retained as incomplete, even when it is announced again', async (store) => {
    await opened(store);
    await store.write(step(1, { upserts: [object(MESH, 'a', '1')], synced: true }));
    await store.write(step(2, { kind: SERVICE, synced: true }));
    await opened(store, 'c1', 2, [SERVICE]);
    const without = await known(store);
    assert.is(without.complete, true);
    assert.is(contents(without, MESH).length, 1);
    assert.equal(
      without.kinds.map(({ announced, synced }) => [announced, synced]),
      [
        [true, true],
        [false, false],
      ],
    );
    assert.is(reason(await store.write(step(1, { term: 2 }))), 'unannounced-kind');
    await opened(store, 'c1', 3, KINDS);
    assert.is((await known(store)).complete, false);
  });

  it('a removed cluster is unknown, and an overtaken writer does not bring it back', async (store) => {
    await opened(store);
    await store.write(step(1, { upserts: [object(MESH, 'a', '1')] }));
    assert.is(await store.remove('c1'), true);
    assert.is(await store.remove('c1'), false);
    assert.is(await store.read('c1'), undefined);
    assert.equal(await store.clusters(), []);
    assert.is(reason(await store.write(step(2))), 'not-opened');
    assert.is(await store.read('c1'), undefined);
  });

  it('a snapshot once read does not change', async (store) => {
    await opened(store);
    await store.write(step(1, { upserts: [object(MESH, 'a', '1')] }));
    const before = await known(store);
    const text = JSON.stringify(before);
    await store.write(step(2, { upserts: [object(MESH, 'b', '1')], deletes: [keyOf(MESH, 'a')], synced: true }));
    assert.is(JSON.stringify(before), text);
  });

  it('kinds stand in the same order however they came', async (store) => {
    await opened(store, 'c1', 1, [MESH, SERVICE]);
    await opened(store, 'c2', 1, [SERVICE, MESH]);
    const order = async (cluster: string): Promise<unknown> =>
      (await known(store, cluster)).kinds.map(({ kind }) => kind);
    assert.equal(await order('c1'), await order('c2'));
  });

  it('digests are the relay’s own, and equal for equal contents only', async (store) => {
    await opened(store);
    await opened(store, 'c2');
    const [a, b] = [object(MESH, 'a', '1'), object(MESH, 'b', '2')];
    await store.write(step(1, { upserts: [a, b], synced: true }));
    await store.write(step(1, { cluster: 'c2', upserts: [object(MESH, 'b', 'old')] }));
    await store.write(step(2, { cluster: 'c2', upserts: [b, a, object(MESH, 'c', '3')] }));
    const mesh = async (cluster: string): Promise<string | undefined> =>
      (await store.digest(cluster))?.kinds.find(({ kind }) => kind.kind === 'Mesh')?.digest;
    assert.is.not(await mesh('c1'), await mesh('c2'));
    await store.write(step(3, { cluster: 'c2', deletes: [keyOf(MESH, 'c')] }));
    assert.is(await mesh('c1'), await mesh('c2'));
    assert.is(await mesh('c1'), Buffer.from(digestOf([a, b]).total()).toString('hex'));
    const digest = await store.digest('c1');
    const { version, complete } = await known(store);
    assert.equal({ version: digest?.version, complete: digest?.complete }, { version, complete });
  });

  it('watchers see every change in order from the call on, and only what really changed', async (store) => {
    const stop = new AbortController();
    const watcher = store.watch(stop.signal)[Symbol.asyncIterator]();
    await opened(store);
    const a = object(MESH, 'a', '1');
    await store.write(step(1, { upserts: [a], synced: true }));
    await store.write(step(2, { upserts: [a], deletes: [keyOf(MESH, 'gone')] }));
    await store.write(step(2, { deletes: [keyOf(MESH, 'a')] }));
    await store.write(step(3, { kind: SERVICE, synced: true }));
    await store.remove('c1');
    const seen = await take(watcher, 5);
    assert.equal(
      seen.map((change) =>
        change.type === 'written'
          ? `${change.kind.kind} ${change.upserts.length}+ ${change.deletes.length}- synced=${change.synced} complete=${change.complete}`
          : change.type,
      ),
      [
        'opened',
        'Mesh 1+ 0- synced=true complete=false',
        'Mesh 0+ 0- synced=true complete=false',
        'Service 0+ 0- synced=true complete=true',
        'removed',
      ],
    );
    assert.equal(
      seen.flatMap((change): SnapshotVersion[] => ('version' in change ? [change.version] : [])),
      [0, 1, 2, 3].map((seq) => ({ term: 1, seq })),
    );
    stop.abort();
    assert.is((await watcher.next()).done, true);
  });

  it('watchers are independent and end by their signal, by return, or with the store', async (store) => {
    const [first, second] = [new AbortController(), new AbortController()];
    const a = store.watch(first.signal)[Symbol.asyncIterator]();
    const b = store.watch(second.signal)[Symbol.asyncIterator]();
    const waiting = a.next();
    first.abort();
    assert.is((await waiting).done, true);
    await opened(store);
    assert.is((await take(b, 1))[0]?.type, 'opened');
    await b.return?.();
    assert.equal(store.stats().watchers, []);
    assert.is((await store.watch(AbortSignal.abort())[Symbol.asyncIterator]().next()).done, true);
    const last = store.watch(new AbortController().signal)[Symbol.asyncIterator]();
    const end = last.next();
    await store[Symbol.asyncDispose]();
    assert.is((await end).done, true);
  });

  it('a watcher that lags gets one report of lost changes, and can catch up by reading', async (store) => {
    const stop = new AbortController();
    const watcher = store.watch(stop.signal)[Symbol.asyncIterator]();
    await opened(store);
    for (let seq = 1; seq <= 5000; seq++) await store.write(step(seq, { upserts: [object(MESH, 'a', String(seq))] }));
    const [{ depth, dropped } = { depth: 0, dropped: 0 }] = store.stats().watchers;
    assert.ok(depth <= 2048 && dropped > 0, `depth ${depth}, dropped ${dropped}`);
    const seen = await take(watcher, depth);
    assert.is(seen[0]?.type, 'lost');
    assert.is(seen.filter(({ type }) => type === 'lost').length, 1);
    assert.is(seen.length + dropped - 1, 5001);
    assert.equal(contents(await known(store), MESH), [`a=${object(MESH, 'a', '5000').hash}`]);
    stop.abort();
  });

  it('counts what it holds', async (store) => {
    await opened(store);
    const [a, longer] = [object(MESH, 'a', '1'), object(MESH, 'a', 'a longer text')];
    await store.write(step(1, { upserts: [a, object(MESH, 'b', '1')] }));
    await store.write(step(2, { upserts: [longer], deletes: [keyOf(MESH, 'b')] }));
    const { clusters, objects, bytes } = store.stats();
    assert.equal({ clusters, objects, bytes }, { clusters: 1, objects: 1, bytes: longer.body.byteLength });
    await store.remove('c1');
    assert.is(store.stats().objects, 0);
  });

  if (lose !== undefined) {
    it('an object whose bytes were lost is unknown: not empty, not deleted, and its kind is incomplete', async (store) => {
      await opened(store, 'c1', 1, [MESH]);
      await store.write(step(1, { upserts: [object(MESH, 'a', '1'), object(MESH, 'b', '1')], synced: true }));
      await lose(store, 'c1', keyOf(MESH, 'a'));
      const { complete, kinds } = await known(store);
      assert.is(complete, false);
      assert.equal(kinds[0]?.missing, [keyOf(MESH, 'a')]);
      assert.is(kinds[0]?.synced, false);
      assert.equal(
        kinds[0]?.objects.map((one) => one.name),
        ['b'],
      );
    });
  }

  test(`${name}: after any steps in any order it has the data of the newest accepted ones`, async () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const steps = fc.record({
      term: fc.integer({ min: 1, max: 3 }),
      seq: fc.integer({ min: 1, max: 12 }),
      kind: fc.constantFrom(...KINDS),
      upserts: fc.uniqueArray(fc.record({ name: names, text: fc.constantFrom('1', '2') }), {
        selector: (one) => one.name,
        maxLength: 3,
      }),
      deletes: fc.uniqueArray(names, { maxLength: 2 }),
      synced: fc.boolean(),
      opens: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 40 }), async (list) => {
        await using store = await create();
        const model = new Map(KINDS.map((kind) => [kindId(kind), new Map<string, string>()]));
        const synced = new Set<string>();
        let at: SnapshotVersion | undefined;
        for (const { term, seq, kind, upserts, deletes, synced: marks, opens } of list) {
          if (opens && (await store.open({ cluster: 'c1', term, kinds: KINDS })).accepted) {
            assert.ok(at === undefined || term >= at.term);
            if (at === undefined || term > at.term) at = { term, seq: 0 };
          }
          const changed = upserts.map(({ name: object_, text }) => object(kind, object_, text));
          const gone = deletes.filter((one) => !upserts.some((upsert) => upsert.name === one));
          const result = await store.write(
            step(seq, { term, kind, upserts: changed, deletes: gone.map((one) => keyOf(kind, one)), synced: marks }),
          );
          assert.is(result.accepted, at !== undefined && term === at.term && seq > at.seq);
          if (!result.accepted) continue;
          at = { term, seq };
          const held = model.get(kindId(kind));
          for (const one of changed) held?.set(one.name, one.hash);
          for (const one of gone) held?.delete(one);
          if (marks) synced.add(kindId(kind));
        }
        const snapshot = await store.read('c1');
        assert.equal(snapshot?.version, at);
        for (const kind of snapshot === undefined ? [] : KINDS) {
          const expected = [...(model.get(kindId(kind)) ?? [])].map(([one, hash]) => `${one}=${hash}`).sort();
          assert.equal(contents(snapshot as Snapshot, kind), expected);
        }
        assert.is(snapshot?.complete ?? false, synced.size === KINDS.length);
      }),
      { numRuns: 300 },
    );
  });
}
