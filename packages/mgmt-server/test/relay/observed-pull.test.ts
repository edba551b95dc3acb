/** Objects that an agent accepts, observed on the stream. */
import type { ObjectKey, PullMachine, PullRequest, PullResponse } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { observedPull } from '../../src/relay/observed-pull.ts';

const KIND = { group: 'g', version: 'v', kind: 'K' };
const body = new Uint8Array(10);
const upsert = (name: string) => ({ namespace: 'n', name, hash: 'h', body });
const ack = (number: number, rest: object = {}): PullRequest => ({
  type: 'ack',
  number,
  result: 'accepted',
  refused: [],
  behind: [],
  ...rest,
});

function observed(...messages: PullResponse[]) {
  const received: PullRequest[] = [];
  const inner: PullMachine = {
    answered: 0,
    receive: (message) => received.push(message),
    next: () => messages.shift(),
    drive: () => undefined,
    end: () => undefined,
  };
  const taken: string[] = [];
  const pull = observedPull(inner, (objects: readonly ObjectKey[]) => taken.push(...objects.map(({ name }) => name)));
  while (pull.next() !== undefined);
  return { pull, taken, received };
}

const delta = (number: number, names: readonly string[], rest: object = {}): PullResponse => ({
  type: 'delta',
  number,
  kind: KIND,
  upserts: names.map(upsert),
  deletes: [],
  complete: false,
  ...rest,
});

test('objects of an accepted delta are accepted, except the rejected ones', () => {
  const { pull, taken, received } = observed(delta(1, ['a', 'b'], { deletes: [{ namespace: 'n', name: 'old' }] }));
  const key = { ...KIND, namespace: 'n', name: 'b' };
  pull.receive(ack(1, { refused: [{ key, hash: 'h', code: 'C', reason: 'r' }] }));
  assert.equal(taken, ['a', 'old']);
  assert.is(received.length, 1);
});

test('held deltas are accepted with their second answer, stale ones never', () => {
  const { pull, taken } = observed(delta(1, ['a']), delta(2, ['b']));
  pull.receive(ack(1, { result: 'held' }));
  pull.receive(ack(2, { result: 'stale' }));
  assert.equal(taken, []);
  pull.receive(ack(1));
  pull.receive(ack(2));
  assert.equal(taken, ['a']);
});

test('an object in parts is accepted with its last part', () => {
  const part = (offset: number) => [{ ...upsert('large'), part: { total: 20, offset } }];
  const { pull, taken } = observed(delta(1, [], { upserts: part(0) }), delta(2, [], { upserts: part(10) }));
  pull.receive(ack(1));
  assert.equal(taken, []);
  pull.receive(ack(2));
  assert.equal(taken, ['large']);
});

test.run();
