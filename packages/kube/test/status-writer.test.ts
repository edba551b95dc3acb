/** Statuses reach the API server once each, latest first, and failures are handled by their kind. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import { assert, eventually, ManualClock, test } from '@meshrelay/testing';
import { type KubeError, StatusWriter, type StatusWriterOptions } from '../src/mod.ts';
import { rejection, type StubAnswer, StubApi } from './stub-api.ts';

const policies: ResourceKind = {
  group: 'networking.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'TrafficPolicy',
  plural: 'trafficpolicies',
  namespaced: true,
};
const key = (name: string) => ({ namespace: 'mesh', name });

async function fixture(options: Partial<StatusWriterOptions> = {}) {
  const gates: ((answer?: StubAnswer) => void)[] = [];
  let held = false;
  let answer: StubAnswer = { body: {} };
  const api = await StubApi.start(() => {
    if (!held) return answer;
    return new Promise<StubAnswer>((open) => gates.push((given = answer) => open(given)));
  });
  const clock = new ManualClock();
  const refused: string[] = [];
  const retried: KubeError[] = [];
  const writer = new StatusWriter({
    connection: api.connection,
    fieldManager: 'meshrelay-server',
    clock,
    random: () => 1,
    onRefused: (object) => refused.push(object),
    onRetry: (_object, error) => retried.push(error),
    ...options,
  });
  return {
    api,
    writer,
    clock,
    refused,
    retried,
    gates,
    answerWith: (next: StubAnswer) => {
      answer = next;
    },
    hold: (on: boolean) => {
      held = on;
    },
    written: () => api.requests.map(({ body }) => (body as KubeObject & { status: unknown }).status),
    async [Symbol.asyncDispose]() {
      await writer[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

test('a status is written once, by server-side apply on the status subresource', async () => {
  await using run = await fixture();
  for (let i = 0; i < 5; i++) run.writer.set(policies, key('a'), { state: 'ACCEPTED', list: [{ b: 1, a: 2 }] });
  await run.writer.idle();
  run.writer.set(policies, key('a'), { list: [{ a: 2, b: 1 }], state: 'ACCEPTED' });
  await run.writer.idle();
  assert.is(run.api.requests.length, 1);
  const [request] = run.api.requests;
  assert.ok(request);
  assert.is(request.path, '/apis/networking.meshrelay.dev/v1alpha1/namespaces/mesh/trafficpolicies/a/status');
  assert.is(request.query['fieldManager'], 'meshrelay-server');
  assert.is(request.query['force'], 'true');
  assert.equal(request.body, {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { namespace: 'mesh', name: 'a' },
    status: { state: 'ACCEPTED', list: [{ b: 1, a: 2 }] },
  });
});

test('an equal status is not written; one that another writer changed is overwritten', async () => {
  await using run = await fixture();
  run.writer.set(policies, key('a'), { n: 1 }, { status: { n: 1 }, version: 1 });
  await run.writer.idle();
  assert.is(run.api.requests.length, 0);
  run.writer.set(policies, key('a'), { n: 1 }, { status: { n: 9 }, version: 2 });
  await run.writer.idle();
  assert.equal(run.written(), [{ n: 1 }]);
});

test('a status is written although the informer still reports one from before the last write', async () => {
  await using run = await fixture();
  const before = { status: { state: 'CONNECTED' }, version: 7 };
  run.answerWith({ body: { metadata: { name: 'a', resourceVersion: '8' } } });
  run.writer.set(policies, key('a'), { state: 'DISCONNECTED' }, before);
  await run.writer.idle();
  run.answerWith({ body: { metadata: { name: 'a', resourceVersion: '9' } } });
  run.writer.set(policies, key('a'), { state: 'CONNECTED' }, before);
  await run.writer.idle();
  assert.equal(run.written(), [{ state: 'DISCONNECTED' }, { state: 'CONNECTED' }]);
});

test('a status that another writer changed is overwritten when it is observed, also during a write', async () => {
  await using run = await fixture();
  run.answerWith({ body: { metadata: { name: 'a', resourceVersion: '5' } } });
  run.writer.set(policies, key('a'), { n: 1 });
  await run.writer.idle();
  run.writer.seen(policies, key('a'), { status: { n: 1 }, version: 5 });
  run.writer.seen(policies, key('b'), { status: { n: 9 }, version: 9 });
  await run.writer.idle();
  assert.is(run.api.requests.length, 1, 'our own write, and an object without a desired status');
  run.hold(true);
  run.answerWith({ body: { metadata: { name: 'a', resourceVersion: '9' } } });
  run.writer.seen(policies, key('a'), { status: { n: 9 }, version: 6 });
  await eventually('it is written over', () => run.gates.length === 1);
  run.writer.seen(policies, key('a'), { status: { n: 8 }, version: 8 });
  run.hold(false);
  run.gates[0]?.({ body: { metadata: { name: 'a', resourceVersion: '7' } } });
  await run.writer.idle();
  assert.equal(run.written(), [{ n: 1 }, { n: 1 }, { n: 1 }]);
});

test('fields that the API server drops from a status are not written repeatedly', async () => {
  await using run = await fixture();
  run.hold(true);
  run.answerWith({ body: { metadata: { name: 'a', resourceVersion: '5' } } });
  run.writer.set(policies, key('a'), { n: 1, unknown: true });
  await eventually('the write', () => run.gates.length === 1);
  // The watch may be faster than the answer.
  run.writer.seen(policies, key('a'), { status: { n: 1 }, version: 5 });
  run.hold(false);
  run.gates[0]?.();
  await run.writer.idle();
  assert.is(run.api.requests.length, 1);
});

test('during one write only the last of the following statuses is stored', async () => {
  await using run = await fixture();
  run.hold(true);
  for (const n of [1, 2, 3, 4]) run.writer.set(policies, key('a'), { n });
  await eventually('the first write', () => run.gates.length === 1);
  for (const n of [5, 6, 7]) run.writer.set(policies, key('a'), { n });
  run.hold(false);
  run.gates[0]?.();
  await run.writer.idle();
  assert.equal(run.written(), [{ n: 1 }, { n: 7 }]);
});

test('a change that is reverted during its write is written again', async () => {
  await using run = await fixture();
  run.hold(true);
  run.writer.set(policies, key('a'), { n: 1 });
  await eventually('the write', () => run.gates.length === 1);
  run.writer.set(policies, key('a'), { n: 2 });
  run.writer.set(policies, key('a'), { n: 1 });
  run.hold(false);
  run.gates[0]?.();
  await run.writer.idle();
  assert.equal(run.written(), [{ n: 1 }]);
});

test('concurrent writes are limited', async () => {
  await using run = await fixture({ concurrency: 2 });
  run.hold(true);
  for (let i = 0; i < 10; i++) run.writer.set(policies, key(`p${i}`), { i });
  await eventually('two writes', () => run.gates.length === 2);
  assert.is(run.writer.depth, 10);
  run.gates[0]?.();
  await eventually('a third', () => run.gates.length === 3);
  assert.is(run.api.requests.length, 3);
  run.hold(false);
  for (const open of run.gates.splice(0)) open();
  await run.writer.idle();
  assert.is(run.api.requests.length, 10);
});

test('temporary failures are retried with growing pauses, with the latest status', async () => {
  await using run = await fixture();
  run.answerWith(rejection(503, 'ServiceUnavailable', 'not now'));
  run.writer.set(policies, key('a'), { n: 1 });
  await eventually('a failure', () => run.retried.length === 1);
  await eventually('the pause', () => run.clock.nextIn === 1_000);
  run.writer.set(policies, key('a'), { n: 2 });
  await run.clock.pass(1_000);
  await eventually('a second failure', () => run.retried.length === 2);
  await eventually('a longer pause', () => run.clock.nextIn === 2_000);
  run.answerWith({ body: {} });
  await run.clock.pass(2_000);
  await run.writer.idle();
  assert.equal(run.written(), [{ n: 1 }, { n: 2 }, { n: 2 }]);
});

test('a rejected status is reported once and waits for its next change', async () => {
  await using run = await fixture();
  run.answerWith(rejection(422, 'Invalid', 'status.state: Unsupported value'));
  run.writer.set(policies, key('a'), { n: 1 });
  await run.writer.idle();
  run.writer.set(policies, key('a'), { n: 1 });
  await run.writer.idle();
  assert.equal(run.refused, ['TrafficPolicy mesh/a']);
  assert.is(run.api.requests.length, 1);
  run.answerWith({ body: {} });
  run.writer.set(policies, key('a'), { n: 2 });
  await run.writer.idle();
  assert.equal(run.written(), [{ n: 1 }, { n: 2 }]);
});

test('a deleted object is forgotten; a recreated one is written again', async () => {
  await using run = await fixture();
  run.answerWith(rejection(404, 'NotFound', 'not found'));
  run.writer.set(policies, key('a'), { n: 1 });
  await run.writer.idle();
  assert.equal([run.refused, run.retried], [[], []]);
  run.answerWith({ body: {} });
  run.writer.set(policies, key('a'), { n: 1 });
  await run.writer.idle();
  assert.is(run.api.requests.length, 2);
});

test('a forgotten object is not written', async () => {
  await using run = await fixture({ concurrency: 1 });
  run.hold(true);
  run.writer.set(policies, key('a'), { n: 1 });
  run.writer.set(policies, key('b'), { n: 1 });
  await eventually('the first', () => run.gates.length === 1);
  run.writer.forget(policies, key('a'));
  run.writer.forget(policies, key('b'));
  run.gates[0]?.(rejection(503, 'ServiceUnavailable', 'not now'));
  await eventually('the failure', () => run.retried.length === 1);
  await run.clock.pass(60_000);
  await run.writer.idle();
  assert.is(run.api.requests.length, 1);
});

test('disposal aborts and drops, and later statuses are ignored', async () => {
  const run = await fixture({ concurrency: 1 });
  run.hold(true);
  run.writer.set(policies, key('a'), { n: 1 });
  run.writer.set(policies, key('b'), { n: 1 });
  await eventually('the first', () => run.gates.length === 1);
  await run.writer[Symbol.asyncDispose]();
  run.writer.set(policies, key('c'), { n: 1 });
  assert.is(run.api.requests.length, 1);
  assert.equal(run.retried, []);
  await run[Symbol.asyncDispose]();
});

test.run();
