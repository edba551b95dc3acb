/**
 * Reconciles one object at a time: at most one successful write, never on an unmanaged object, never without the Lease.
 */

import type { KubeObject } from '@meshrelay/api';
import { mapConcurrent } from '@meshrelay/concurrency';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import { NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, test } from '@meshrelay/testing';
import { DesiredTable } from '../../src/apply/desired-table.ts';
import { Fence, FencedError } from '../../src/apply/fence.ts';
import { LiveObjects } from '../../src/apply/live-objects.ts';
import { ObjectWriter } from '../../src/apply/object-writer.ts';
import { UnconfirmedWrites } from '../../src/apply/unconfirmed-writes.ts';
import { KINDS, subject, written } from './outputs.ts';

interface Bench extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly desired: DesiredTable;
  readonly live: LiveObjects;
  readonly writer: ObjectWriter;
  /** A writer that knows only the live objects. */
  newWriter(): ObjectWriter;
  readonly lease: { validFor: number };
  readonly absent: { kind: string };
  need(name: string, spec?: object): void;
  /** Delivers the watch events for everything that exists now. */
  reconcile(): void;
}

async function bench(): Promise<Bench> {
  const cluster = await TestCluster.start();
  const desired = new DesiredTable();
  const live = new LiveObjects(KINDS.all);
  const lease = { validFor: 1_000 };
  const absent = { kind: '' };
  const newWriter = (): ObjectWriter =>
    new ObjectWriter({
      connection: cluster.connection,
      desired,
      live,
      unconfirmed: new UnconfirmedWrites(live),
      isAbsent: (kind) => kind.kind === absent.kind,
      forget: async () => true,
      resolved: () => {},
      fence: new Fence({ term: 7, currentTerm: () => 7, validFor: () => lease.validFor, onOutdated: () => {} }),
      owner: NAMESPACE,
      requestSignal: () => AbortSignal.timeout(30_000),
    });
  return {
    cluster,
    desired,
    live,
    writer: newWriter(),
    newWriter,
    lease,
    absent,
    need(name, spec = { hosts: [name] }) {
      const { id, kind } = subject(name);
      desired.desire({ id, kind, hash: JSON.stringify(spec), object: output('VirtualService', name, spec) });
    },
    reconcile() {
      const upserts = cluster.sim.objects.list({ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService' });
      live.take(written('VirtualService'), {
        all: true,
        upserts: upserts as unknown as KubeObject[],
        removed: [],
        complete: true,
      });
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

const version = ({ cluster }: Bench, name: string) => cluster.get('VirtualService', name)?.metadata.resourceVersion;

test('an object is created, left unchanged, changed and deleted, each by one write', async () => {
  await using run = await bench();
  run.reconcile();
  run.need('a');
  assert.equal(await run.writer.reconcile(subject('a')), { result: 'applied' });
  const first = version(run, 'a');
  assert.equal(await run.writer.reconcile(subject('a')), { result: 'unchanged' });
  assert.is(version(run, 'a'), first);
  run.need('a', { hosts: ['b'] });
  assert.not(run.writer.isSettled(subject('a')));
  assert.equal(await run.writer.reconcile(subject('a')), { result: 'applied' });
  assert.ok(run.writer.isSettled(subject('a')));
  run.desired.remove(subject('a').id);
  assert.equal(await run.writer.reconcile(subject('a')), { result: 'deleted' });
  assert.is(run.cluster.get('VirtualService', 'a'), undefined);
  assert.equal(await run.writer.reconcile(subject('a')), { result: 'unchanged' });
});

test('an object that waits for a finalizer of another controller is not deleted again', async () => {
  await using run = await bench();
  const managed = output('VirtualService', 'a', { hosts: ['a'] });
  run.cluster.sim.objects.create({
    ...managed,
    metadata: { ...managed.metadata, finalizers: ['some.one/else'] },
  } as never);
  run.reconcile();
  run.desired.remove(subject('a').id);
  assert.equal(await run.writer.reconcile(subject('a')), { result: 'deleted' });
  run.reconcile();
  const waiting = run.cluster.get('VirtualService', 'a')?.metadata;
  assert.ok(waiting?.deletionTimestamp !== undefined);
  assert.equal(await run.writer.reconcile(subject('a')), { result: 'unchanged' });
  assert.is(version(run, 'a'), waiting.resourceVersion);
});

test('an object written by a newer term is neither changed nor deleted', async () => {
  await using run = await bench();
  const written8 = output('VirtualService', 'a', { hosts: ['new'] });
  const metadata = { ...written8.metadata, annotations: { 'meshrelay.dev/term': '8' } };
  run.cluster.sim.objects.create({ ...written8, metadata } as never);
  run.reconcile();
  const before = version(run, 'a');
  run.need('a', { hosts: ['old'] });
  const refuse = async (): Promise<void> => {
    const outcome = await run.writer.reconcile(subject('a')).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.instance(outcome, FencedError);
    assert.is(version(run, 'a'), before);
  };
  await refuse();
  run.desired.remove(subject('a').id);
  await refuse();
});

test('the API server rejects 1,000 of 1,000 late writes, changes and deletions alike', async () => {
  await using run = await bench();
  for (let number = 0; number < 1_000; number++) {
    const name = `o${number}`;
    const old = output('VirtualService', name, { hosts: ['old'] });
    run.cluster.sim.objects.create({
      ...old,
      metadata: { ...old.metadata, annotations: { 'meshrelay.dev/term': '7' } },
    } as never);
  }
  run.reconcile();
  // The leader of the newer term has written each of them since, and this one has not observed that.
  for (let number = 0; number < 1_000; number++) {
    const name = `o${number}`;
    const now = run.cluster.get('VirtualService', name);
    const newer = { ...now, metadata: { ...now?.metadata, annotations: { 'meshrelay.dev/term': '8' } } };
    run.cluster.sim.objects.update({ ...newer, spec: { hosts: ['new'] } } as never);
    if (number % 2 === 0) run.need(name, { hosts: ['stale'] });
    else run.desired.remove(subject(name).id);
  }
  let fenced = 0;
  await mapConcurrent(
    Array.from({ length: 1_000 }, (_, number) => `o${number}`),
    8,
    (name) =>
      run
        .newWriter()
        .reconcile(subject(name))
        .then(
          ({ result }) => assert.unreachable(`${name}: ${result}`),
          (error: unknown) => {
            assert.instance(error, FencedError);
            fenced++;
          },
        ),
  );
  assert.is(fenced, 1_000);
  for (let number = 0; number < 1_000; number++)
    assert.equal(run.cluster.get('VirtualService', `o${number}`)?.spec, { hosts: ['new'] });
});

test('before a kind is synced, the object is read first', async () => {
  await using run = await bench();
  run.cluster.sim.objects.create({
    ...output('VirtualService', 'theirs'),
    metadata: { name: 'theirs', namespace: 'shop' },
  } as never);
  const before = version(run, 'theirs');
  run.need('theirs');
  run.need('new');
  const refused = await run.writer.reconcile(subject('theirs'));
  assert.is(refused.result === 'failed' && refused.code, 'UNMANAGED_OBJECT_EXISTS');
  assert.equal(await run.writer.reconcile(subject('new')), { result: 'applied' });
  assert.is(version(run, 'theirs'), before);
});

test('an unmanaged object created between read and write is not touched either', async () => {
  await using run = await bench();
  run.reconcile();
  const unmanaged = { ...output('VirtualService', 'a', { hosts: ['a'] }), metadata: { name: 'a', namespace: 'shop' } };
  run.cluster.sim.objects.create(unmanaged as never);
  const before = run.cluster.get('VirtualService', 'a');
  run.need('a');
  const refused = await run.writer.reconcile(subject('a'));
  assert.is(refused.result === 'failed' && refused.code, 'UNMANAGED_OBJECT_EXISTS');
  assert.equal(run.cluster.get('VirtualService', 'a'), before);
});

test('an object that lost the owner label, or was replaced, since it was read is neither changed nor deleted', async () => {
  await using run = await bench();
  for (const name of ['a', 'b']) {
    run.need(name);
    await run.writer.reconcile(subject(name));
  }
  run.reconcile();
  for (const name of ['a', 'b']) {
    run.cluster.delete('VirtualService', name);
    run.cluster.sim.objects.create({
      ...output('VirtualService', name),
      metadata: { name, namespace: 'shop' },
    } as never);
  }
  const before = ['a', 'b'].map((name) => version(run, name));
  run.need('a', { hosts: ['changed'] });
  run.desired.remove(subject('b').id);
  const refused = await run.writer.reconcile(subject('a'));
  assert.is(refused.result === 'failed' && refused.code, 'UNMANAGED_OBJECT_EXISTS');
  assert.equal(await run.writer.reconcile(subject('b')), { result: 'unchanged' });
  assert.equal(
    ['a', 'b'].map((name) => version(run, name)),
    before,
  );
});

test('an object changed since it was read is read again and repaired', async () => {
  await using run = await bench();
  run.need('a');
  await run.writer.reconcile(subject('a'));
  run.reconcile();
  run.cluster.sim.objects.update({ ...run.cluster.get('VirtualService', 'a'), spec: { hosts: ['drifted'] } } as never);
  run.need('a', { hosts: ['wanted'] });
  assert.equal(await run.writer.reconcile(subject('a')), { result: 'applied' });
  assert.equal(run.cluster.get('VirtualService', 'a')?.['spec'], { hosts: ['wanted'] });
});

test('without a valid Lease, or once stopped, nothing is sent', async () => {
  await using run = await bench();
  run.need('kept');
  await run.writer.reconcile(subject('kept'));
  run.reconcile();
  const before = run.cluster.sim.snapshot().length;
  const fails = async (name: string): Promise<void> => {
    const error = await run.writer.reconcile(subject(name)).catch((thrown: unknown) => thrown);
    assert.instance(error, FencedError);
  };
  run.lease.validFor = 0;
  run.need('new');
  run.desired.remove(subject('kept').id);
  await fails('new');
  await fails('kept');
  run.lease.validFor = 1_000;
  run.writer.stop();
  await fails('new');
  assert.is(run.cluster.sim.snapshot().length, before);
  assert.is(run.cluster.get('VirtualService', 'kept')?.metadata.labels?.[OWNER_LABEL], NAMESPACE);
});

test('a failure has a reason and whether a retry may help', async () => {
  await using run = await bench();
  run.reconcile();
  const { kind } = subject('a');
  const lost = { id: 'x', kind, key: { namespace: 'nowhere', name: 'a' } };
  const object = output('VirtualService', 'a');
  run.desired.desire({
    id: 'x',
    kind,
    hash: 'h',
    object: { ...object, metadata: { ...object.metadata, namespace: 'nowhere' } },
  });
  const outcome = await run.writer.reconcile(lost);
  if (outcome.result !== 'failed') throw new Error('it was applied');
  assert.is(outcome.code, 'RELAY_E_KUBE_NOT_FOUND');
  assert.match(outcome.reason, 'nowhere');
  assert.ok(outcome.retry, 'the namespace may still come');
});

test('for an object of a kind that is not installed no request is sent', async () => {
  await using run = await bench();
  run.reconcile();
  run.absent.kind = 'VirtualService';
  run.need('a');
  const outcome = await run.writer.reconcile(subject('a'));
  assert.is(outcome.result === 'failed' && outcome.code, 'KIND_NOT_INSTALLED');
  assert.is(run.cluster.get('VirtualService', 'a'), undefined);
});

test('if an API server does not respond, the writer retries later', async () => {
  const run = await bench();
  run.reconcile();
  run.need('a');
  await run.cluster[Symbol.asyncDispose]();
  const outcome = await run.writer.reconcile(subject('a'));
  if (outcome.result !== 'failed') throw new Error('it was applied');
  assert.is(outcome.code, 'RELAY_E_KUBE_UNAVAILABLE');
  assert.ok(outcome.retry);
});

test('calls for one object run in sequence and use the latest desired state', async () => {
  await using run = await bench();
  run.reconcile();
  run.need('a');
  const first = run.writer.reconcile(subject('a'));
  run.desired.remove(subject('a').id);
  const second = run.writer.reconcile(subject('a'));
  await Promise.all([first, second]);
  assert.is(run.cluster.get('VirtualService', 'a'), undefined);
});

test.run();
