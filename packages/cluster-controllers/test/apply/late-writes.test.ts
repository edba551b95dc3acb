/** Late writes of a former leader: none of them changes or deletes an object that the new leader has taken over. */

import type { KubeObject } from '@meshrelay/api';
import { mapConcurrent } from '@meshrelay/concurrency';
import { isKubeError } from '@meshrelay/kube';
import { NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, test } from '@meshrelay/testing';
import { DesiredTable } from '../../src/apply/desired-table.ts';
import { Fence } from '../../src/apply/fence.ts';
import { LiveObjects } from '../../src/apply/live-objects.ts';
import { marked } from '../../src/apply/marks.ts';
import { ObjectWriter } from '../../src/apply/object-writer.ts';
import { UnconfirmedWrites } from '../../src/apply/unconfirmed-writes.ts';
import { KINDS, subject, written } from './outputs.ts';

const KIND = written('VirtualService');
const FORMER = 7;
const NOW = { hosts: ['now'] };

/** A cluster with the objects of the leader of term 7, and the leader of term 8, which finds them up to date. */
async function takeover(names: readonly string[], noted: (name: string) => string | undefined) {
  const cluster = await TestCluster.start();
  const there = (): readonly KubeObject[] =>
    cluster.sim.objects.list({ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService' }) as never;
  const desired = new DesiredTable();
  for (const name of names) {
    cluster.sim.objects.create(marked(output('VirtualService', name, NOW), 'now', FORMER) as never);
    const { id, kind } = subject(name);
    const hash = noted(name);
    if (hash !== undefined) desired.restore({ id, kind, hash, object: output('VirtualService', name, NOW) });
    desired.desire({ id, kind, hash: 'now', object: output('VirtualService', name, NOW) });
  }
  desired.setComplete(true);
  const live = new LiveObjects(KINDS.all);
  const reconcile = (): void => live.take(KIND, { all: true, upserts: there(), removed: [], complete: true });
  reconcile();
  let canNote = true;
  const writerOf = (
    term: number,
    requestSignal = () => AbortSignal.timeout(60_000),
    unconfirmed = new UnconfirmedWrites(live),
  ): ObjectWriter =>
    new ObjectWriter({
      connection: cluster.connection,
      desired,
      live,
      unconfirmed,
      isAbsent: () => false,
      fence: new Fence({ term, currentTerm: () => term, validFor: () => 1_000, onOutdated: () => {} }),
      forget: async () => canNote,
      resolved: () => {},
      owner: NAMESPACE,
      requestSignal,
    });
  return {
    cluster,
    desired,
    live,
    there,
    reconcile,
    writerOf,
    cannotNote: (): void => {
      canNote = false;
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

const named = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test('0 of 1,000 late updates and deletions land, and every late create is removed', async () => {
  const updated = named(500, 'u');
  const deleted = named(500, 'd');
  // It records before it deletes that an object is not desired, and soon that it is desired with other content.
  await using run = await takeover([...updated, ...deleted], (name) => (name.startsWith('u') ? 'before' : undefined));
  const things = run.cluster.connection.objects(KIND);
  const late = run.there().map(({ metadata: { name, namespace, uid, resourceVersion } }) => {
    const expected = { uid, resourceVersion };
    const older = marked(output('VirtualService', name, { hosts: ['before'] }), 'before', FORMER);
    return (): Promise<unknown> =>
      name.startsWith('u')
        ? things.apply(older, { force: true, expected })
        : things.delete({ namespace: namespace ?? '', name }, { expected });
  });
  const writer = run.writerOf(FORMER + 1);
  await mapConcurrent([...updated, ...deleted], 8, async (name) => {
    assert.equal(await writer.reconcile(subject(name)), { result: 'applied' });
  });
  let refused = 0;
  await mapConcurrent(late, 8, async (send) => {
    const error = await send().catch((thrown: unknown) => thrown);
    if (isKubeError(error, 'RELAY_E_KUBE_CONFLICT')) refused++;
  });
  assert.is(refused, 1_000);
  const creates = named(100, 'c');
  for (const name of creates)
    await things.apply(marked(output('VirtualService', name, NOW), 'now', FORMER), { force: false });
  run.reconcile();
  await mapConcurrent(creates, 8, async (name) => {
    assert.equal(await writer.reconcile(subject(name)), { result: 'deleted' });
  });
  assert.is(run.there().length, 1_000);
  for (const { metadata, ...rest } of run.there()) {
    assert.equal(rest['spec' as never], NOW);
    assert.is(metadata.annotations?.['meshrelay.dev/term'], '8');
  }
});

test('a new leader writes only the objects that late writes of the former one may affect', async () => {
  await using run = await takeover(named(20, 'o'), (name) => (name === 'o7' ? undefined : 'now'));
  const versions = new Map(run.there().map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  const writer = run.writerOf(FORMER + 1);
  for (const name of versions.keys()) {
    assert.is(writer.isSettled(subject(name)), name !== 'o7');
    assert.is((await writer.reconcile(subject(name))).result, name === 'o7' ? 'applied' : 'unchanged');
    // One write is enough.
    assert.is((await writer.reconcile(subject(name))).result, 'unchanged');
    assert.ok(writer.isSettled(subject(name)));
  }
  for (const { metadata } of run.there())
    assert.is(metadata.resourceVersion === versions.get(metadata.name), metadata.name !== 'o7');
});

test('an object is not deleted for now if its removal from the inventory cannot be recorded', async () => {
  await using run = await takeover(['a'], () => 'now');
  run.cannotNote();
  run.desired.remove(subject('a').id);
  const outcome = await run.writerOf(FORMER).reconcile(subject('a'));
  if (outcome.result !== 'failed') throw new Error('it was deleted');
  assert.is(outcome.code, 'PRUNE_PENDING');
  assert.match(outcome.reason, 'VirtualService shop/a is pending deletion');
  assert.ok(outcome.retry);
  assert.is(run.there().length, 1);
});

test('a write without a response is unconfirmed until the object has another version', async () => {
  await using run = await takeover(['a'], () => 'now');
  const gone = AbortSignal.abort(new Error('no answer'));
  const given = { signal: AbortSignal.timeout(60_000) };
  const unconfirmed = new UnconfirmedWrites(run.live);
  const writer = run.writerOf(FORMER, () => given.signal, unconfirmed);
  assert.not(unconfirmed.has(subject('a')));
  run.desired.remove(subject('a').id);
  given.signal = gone;
  assert.is((await writer.reconcile(subject('a'))).result, 'failed');
  assert.ok(unconfirmed.has(subject('a')), 'the deletion may still land');
  const { id, kind } = subject('a');
  given.signal = AbortSignal.timeout(60_000);
  run.desired.desire({ id, kind, hash: 'now', object: output('VirtualService', 'a', NOW) });
  assert.is((await writer.reconcile(subject('a'))).result, 'unchanged');
  assert.ok(unconfirmed.has(subject('a')), 'to look at it says nothing of what is under way');
  run.desired.desire({ id, kind, hash: 'other', object: output('VirtualService', 'a', { hosts: ['other'] }) });
  assert.is((await writer.reconcile(subject('a'))).result, 'applied');
  assert.not(unconfirmed.has(subject('a')));
});

test.run();
