/** Connected agents, and the objects that they rejected. */
import type { ObjectRejection, RelaySession } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { Connections } from '../../src/relay/connections.ts';

const session = (cluster: string, stream: 'push' | 'pull'): RelaySession => ({
  cluster,
  stream,
  hello: { type: 'hello', cluster, term: 1, kinds: [], capabilities: [], program: 'test' },
  address: '192.0.2.1:4711',
  credential: { kind: 'token', id: '' },
  close: () => undefined,
  move: () => false,
});
const object = (name: string) => ({ group: 'g', version: 'v', kind: 'K', namespace: 'n', name });
const rejection = (name: string, reason = 'no'): ObjectRejection => ({
  key: object(name),
  hash: 'h',
  code: 'C',
  reason,
});

function listening() {
  const connections = new Connections();
  const reported: string[] = [];
  connections.listen((cluster) => reported.push(cluster));
  return { connections, reported };
}

test('a cluster is connected while both its streams are open', () => {
  const { connections, reported } = listening();
  const push = connections.opened(session('c1', 'push'));
  assert.is(connections.connected, 0);
  const pull = connections.opened(session('c1', 'pull'));
  assert.is(connections.connected, 1);
  assert.is(connections.of('c1').address, '192.0.2.1:4711');
  // A replacement stream opens before the old one ends.
  const again = connections.opened(session('c1', 'pull'));
  pull();
  pull();
  assert.is(connections.connected, 1);
  again();
  push();
  assert.is(connections.connected, 0);
  assert.is(reported.length, 6);
});

test('a rejection stays until that very object is accepted', () => {
  const { connections, reported } = listening();
  connections.refused('c1', [rejection('a'), rejection('b')]);
  connections.refused('c1', [rejection('a')]);
  assert.is(reported.length, 1, 'the same again changes nothing');
  connections.refused('c1', [rejection('a', 'another reason')]);
  connections.taken('c1', [object('c')]);
  assert.is(reported.length, 2);
  connections.taken('c1', [object('a')]);
  assert.equal(
    [...connections.of('c1').refused.values()].map(({ key: { name } }) => name),
    ['b'],
  );
  assert.is(connections.refusedObjects, 1);
  connections.forget('c1');
  assert.is(connections.of('c1').refused.size, 0);
});

test('a server that is behind is reported once', () => {
  const { connections, reported } = listening();
  connections.behind('c1', ['/Ledger']);
  connections.behind('c1', ['/Ledger']);
  assert.equal(connections.of('c1').behind, ['/Ledger']);
  connections.behind('c1', []);
  assert.is(reported.length, 2);
});

test.run();
