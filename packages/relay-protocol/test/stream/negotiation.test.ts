/** Capabilities of both ends are used, those of only one end are ignored, and versions are never compared. */
import { assert, test } from '@meshrelay/testing';
import { agreedCapabilities, CAPABILITIES } from '../../src/capabilities.ts';
import { ContentIndex } from '../../src/object/content-index.ts';
import { ObjectTable } from '../../src/object/object-table.ts';
import { PushReceiver } from '../../src/stream/push-receiver.ts';
import { PushSender, Sequence } from '../../src/stream/push-sender.ts';
import { contentOf, TestFixture } from '../fixture.ts';
import { envelope, join, KINDS, keyOf, type Link, settle } from '../link.ts';

interface Ends {
  readonly agent: readonly string[];
  readonly server: readonly string[];
}

function connect({ agent, server }: Ends): { link: Link; sender: PushSender; same(): boolean; named: string[][] } {
  const table = new ObjectTable();
  const fixture = new TestFixture();
  const named: string[][] = [];
  table.upsert(envelope(keyOf(0, 'one'), 'x'));
  for (const kind of KINDS) table.markSynced(kind);
  let now = 0;
  const sender = new PushSender({
    cluster: 'c1',
    sequence: new Sequence(1),
    table,
    kinds: KINDS,
    capabilities: agent,
    program: 'some-agent/0.0.1',
    onWelcome: (capabilities) => named.push([...capabilities]),
    now: () => ++now,
  });
  const receiver = new PushReceiver({
    cluster: 'c1',
    contentIndex: new ContentIndex(),
    capabilities: server,
    limits: { windowDeltas: 1 },
    sink: { accept: (batch) => fixture.take(batch) },
  });
  const link = join('push', sender, receiver);
  return { link, sender, named, same: () => fixture.content().join() === contentOf(table).join() };
}

test('both sets are sent and their intersection is agreed, in any order and with unknown names', () => {
  assert.equal(agreedCapabilities(['b', 'a', 'mine'], ['a', 'theirs', 'b']), ['a', 'b']);
  assert.equal(agreedCapabilities([], CAPABILITIES), []);
});

for (const [who, ends] of [
  ['an older server', { agent: CAPABILITIES, server: [] }],
  ['an older agent', { agent: [], server: CAPABILITIES }],
  ['a newer server', { agent: CAPABILITIES, server: [...CAPABILITIES, 'from-the-future'] }],
  ['a newer agent', { agent: [...CAPABILITIES, 'from-the-future'], server: CAPABILITIES }],
] as const) {
  test(`${who} is served with the common capabilities`, () => {
    const { link, same, named } = connect(ends);
    settle(link);
    assert.ok(same());
    assert.equal(named, [[...ends.server]]);
    const hello = link.up.log[0];
    assert.equal(hello?.type === 'hello' && hello.capabilities, [...ends.agent]);
  });
}

test('the lag is sent to servers that request it, by kind, with the age of the oldest change', () => {
  const { link, sender } = connect({ agent: CAPABILITIES, server: CAPABILITIES });
  const mute = connect({ agent: CAPABILITIES, server: ['resume'] });
  for (const one of [link, mute.link]) {
    for (let at = 0; at < 3; at++) {
      const hello = one.up.from.next();
      if (hello !== undefined) one.up.to.receive(hello as never);
      const answer = one.down.from.next();
      if (answer !== undefined) one.down.to.receive(answer as never);
    }
  }
  assert.equal(
    sender
      .lags()
      .map(({ kind }) => kind.kind)
      .sort(),
    ['Service', 'VirtualService'],
  );
  assert.ok(sender.lags().every(({ age }) => age > 0));
  assert.equal(mute.sender.lags(), []);
  settle(link);
  assert.equal(sender.lags(), []);
});

test.run();
