/** The relay within one process: the machines of both ends are joined without a network, end together and restart. */
import { assert, eventually, test } from '@meshrelay/testing';
import {
  ContentIndex,
  DesiredOutputs,
  LoopbackRelay,
  type ObjectKind,
  ObjectTable,
  PullReceiver,
  PullSender,
  PushReceiver,
  PushSender,
  type RelayClientState,
  RelayError,
  Sequence,
} from '../../src/mod.ts';
import { hashOf } from '../../src/object/hash.ts';

const KIND: ObjectKind = { group: '', version: 'v1', kind: 'Service' };
const OUTPUT: ObjectKind = { group: 'networking.istio.io', version: 'v1', kind: 'VirtualService' };

function envelope(kind: ObjectKind, name: string) {
  const body = new TextEncoder().encode(JSON.stringify({ name }));
  return { ...kind, namespace: 'shop', name, hash: hashOf(body), body };
}

/** An agent of cluster c1 and a server, joined. */
function scene() {
  const table = new ObjectTable();
  table.upsert(envelope(KIND, 'reviews'));
  table.markSynced(KIND);
  const outputs = new DesiredOutputs();
  outputs.commit({ vector: new Map(), complete: true, upserts: [envelope(OUTPUT, 'route')], deletes: [] });
  const accepted: string[] = [];
  const applied: string[] = [];
  const states: string[] = [];
  const contentIndex = new ContentIndex();
  const stop = new AbortController();
  let refusing = false;
  const relay = new LoopbackRelay({
    backoff: { first: 1, max: 2 },
    onPush: ({ cluster }) => {
      if (refusing) throw new RelayError('RELAY_E_UNAUTHENTICATED', `cluster ${cluster} is not registered`);
      return new PushReceiver({
        cluster,
        contentIndex: new ContentIndex(),
        sink: {
          began: () => undefined,
          accept: async ({ upserts }) => {
            accepted.push(...upserts.map(({ name }) => name));
            return [];
          },
          refused: () => undefined,
          ended: () => undefined,
        },
      });
    },
    onPull: ({ cluster }) => new PullSender({ cluster, outputs }),
  });
  const running = (term: number): Promise<void> =>
    relay.runTransport('c1', {
      push: () => new PushSender({ cluster: 'c1', sequence: new Sequence(term), table, kinds: [KIND] }),
      pull: () =>
        new PullReceiver({
          cluster: 'c1',
          term,
          kinds: [OUTPUT],
          contentIndex,
          applied: new Map(),
          applier: { apply: ({ upserts }) => void applied.push(...upserts.map(({ name }) => name)) },
        }),
      signal: stop.signal,
      onState: (state: RelayClientState) => void states.push(state.state),
    });
  return {
    relay,
    table,
    accepted,
    applied,
    states,
    running,
    stop,
    refuse: (value: boolean) => {
      refusing = value;
    },
  };
}

test('observed objects, desired objects and their changes are transferred', async () => {
  const { relay, table, accepted, applied, states, running, stop } = scene();
  const ended = running(1);
  await eventually('both have arrived', () => accepted.includes('reviews') && applied.includes('route'));
  assert.equal(
    relay.sessions().map(({ cluster, stream, address }) => [cluster, stream, address]),
    [
      ['c1', 'push', 'in-process'],
      ['c1', 'pull', 'in-process'],
    ],
  );
  assert.equal(states, ['connecting', 'connected']);
  table.upsert(envelope(KIND, 'ratings'));
  await eventually('the change has arrived', () => accepted.includes('ratings'));
  stop.abort();
  await ended;
  assert.equal(relay.sessions(), []);
});

test('a stream that the server ends is reopened; a rejected one is retried', async () => {
  const { relay, accepted, states, running, stop, refuse } = scene();
  const ended = running(1);
  await eventually('it is connected', () => accepted.length === 1);
  refuse(true);
  for (const session of relay.sessions()) session.close(new RelayError('RELAY_E_UNAVAILABLE', 'changed'));
  await eventually('it is refused more than once', () => states.filter((state) => state === 'waiting').length > 2);
  assert.equal(relay.sessions(), []);
  refuse(false);
  await eventually('it is connected again', () => accepted.length === 2);
  stop.abort();
  await ended;
});

test('of two terms, the newer one has the streams', async () => {
  const { relay, accepted, running, stop } = scene();
  const older = running(1);
  await eventually('the older is connected', () => accepted.length === 1);
  const newer = running(2);
  await eventually(
    'the newer is',
    () => relay.sessions().every(({ hello }) => hello.term === 2) && accepted.length > 1,
  );
  stop.abort();
  await Promise.all([older, newer]);
});

test('a failing machine ends its own stream with the reason, and no other', async () => {
  const { relay, accepted, running, stop, states } = scene();
  const ended = running(1);
  await eventually('it is connected', () => accepted.length === 1);
  const [push] = relay.sessions();
  push?.close(new RelayError('RELAY_E_PROTOCOL', 'nonsense'));
  await eventually('it is connected again', () => states.filter((state) => state === 'connected').length === 2);
  stop.abort();
  await ended;
});

test.run();
