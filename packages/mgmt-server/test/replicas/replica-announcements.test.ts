/** Silent replicas, detected by the announcements of the others. */
import { assert, test } from '@meshrelay/testing';
import { Connections } from '../../src/relay/connections.ts';
import { ReplicaAnnouncements } from '../../src/replicas/replica-announcements.ts';

const SINCE = new Date('2030-01-01T00:00:00Z');
const OWN = JSON.stringify({ vector: {} });

/** Announcement of an agent that is connected to a replica, or has left it. */
const wordOf = (replica: string, connected: boolean): string =>
  JSON.stringify({
    refused: [],
    record: {
      cluster: 'c1',
      replica,
      connected,
      term: 1,
      program: 'agent/1',
      capabilities: [],
      inputs: { complete: true, lag: 0, missing: [], missingCount: 0 },
      outputs: { lag: 0, refused: 0, behind: [] },
    },
  });

type Said = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** @returns the replica that counts as silent, after the processes of these identities announce this */
function listening(): (said: Said) => string | undefined {
  const connections = new Connections(() => SINCE);
  let heard = new Map<string, Map<string, string>>();
  const words = new ReplicaAnnouncements({
    store: { broadcast: () => undefined, peerAnnouncements: () => heard, stats: () => ({}) as never },
    connections,
    recordOf: () => undefined,
    inputs: () => ({ vector: new Map(), digests: new Map() }),
    waiting: () => undefined,
    onPeerChange: () => undefined,
  });
  return (said) => {
    heard = new Map(Object.entries(said).map(([identity, topics]) => [identity, new Map(Object.entries(topics))]));
    words.peerAnnouncements(undefined);
    return connections.unheard('c1')?.silentReplica;
  };
}

test('a replica is silent although another has an older announcement of its cluster', () => {
  const silent = listening();
  const other = { 'server-2_b': { '': OWN, c1: wordOf('server-2', false) } };
  assert.is(silent({ 'server-1_a': { '': OWN, c1: wordOf('server-1', true) }, ...other }), undefined);
  assert.is(silent(other), 'server-1');
  assert.is(silent({ 'server-1_a': { '': OWN, c1: wordOf('server-1', false) }, ...other }), undefined);
});

test('a replica that restarted under its name is not silent, and has none of its earlier agents', () => {
  const silent = listening();
  silent({ 'server-1_a': { '': OWN, c1: wordOf('server-1', true) } });
  assert.is(silent({}), 'server-1');
  assert.is(silent({ 'server-2_b': { '': OWN } }), 'server-1');
  assert.is(silent({ 'server-1_c': { '': OWN }, 'server-2_b': { '': OWN } }), undefined);
});

test.run();
