/** Agent status of a KubernetesCluster, from one replica and from several. */
import { Quarantine, type RelaySession } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { Connections } from '../../src/relay/connections.ts';
import { type ClusterRecord, foldRecords } from '../../src/status/cluster-record.ts';
import { agentStatus, agentStatusBefore, clusterConditions } from '../../src/status/cluster-status.ts';
import { lagStep } from '../../src/status/lag-step.ts';
import { recordOf } from '../../src/status/record-of.ts';

const CAPABILITIES = ['resume', 'lag', 'from-the-future'];
const session = (stream: 'push' | 'pull', term = 3): RelaySession => ({
  cluster: 'c1',
  stream,
  hello: { type: 'hello', cluster: 'c1', term, kinds: [], capabilities: CAPABILITIES, program: 'agent/1.2.3' },
  address: '192.0.2.1:4711',
  credential: { kind: 'token', id: '' },
  close: () => undefined,
  move: () => false,
});
const huge = {
  key: { group: '', version: 'v1', kind: 'Service', namespace: 'shop', name: 'huge' },
  hash: '00',
  code: 'OBJECT_TOO_LARGE',
  reason: 'too large',
};

function replica() {
  const quarantine = new Quarantine();
  let time = 1_000_000;
  const connections = new Connections(() => new Date(time));
  const progress = new Map([['c1', { version: { term: 3, seq: 14 }, complete: true, compared: { term: 3, seq: 14 } }]]);
  const fleet = { progress, quarantine: () => quarantine };
  const sources = { connections, fleet, guard: { heldIn: () => undefined }, replica: 'r1' } as never;
  return {
    connections,
    quarantine,
    progress,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    record: () => recordOf('c1', sources),
  };
}

function reported(record: ClusterRecord | undefined): ClusterRecord {
  if (record === undefined) throw new Error('no record of c1');
  return record;
}

const facts = (record: ClusterRecord | undefined): string[] =>
  clusterConditions(record).map(({ type, status, reason }) => `${type} ${status} ${reason}`);

test('a plugin whose discovery fails is a condition with its name, only while it fails', () => {
  const { connections, record } = replica();
  const failing = session('push');
  const failedPlugins = ['kuma: boom in discover'];
  const close = connections.opened({ ...failing, hello: { ...failing.hello, failedPlugins } });
  connections.opened({ ...session('pull'), hello: { ...failing.hello, failedPlugins } });
  assert.ok(facts(record()).includes('PluginsWork False PluginFailed'));
  const { message } = clusterConditions(record()).find(({ type }) => type === 'PluginsWork') ?? {};
  assert.match(message ?? '', /kuma: boom in discover; correct the plugin, or remove it/);
  assert.equal(connections.failedPlugins, [{ cluster: 'c1', plugin: 'kuma' }]);
  close();
  connections.opened(session('push', 4));
  assert.not.ok(facts(record()).some((fact) => fact.startsWith('PluginsWork')));
  assert.equal(connections.failedPlugins, []);
});

test('nothing is claimed about an agent that never connected', () => {
  const { record } = replica();
  assert.is(record(), undefined);
  assert.equal(agentStatusBefore({}, new Date()), {});
  assert.equal(facts(undefined), [
    'Connected Unknown AgentNeverConnected',
    'InputsComplete Unknown AgentNeverConnected',
    'OutputsCurrent Unknown AgentNeverConnected',
  ]);
});

test('while Redis is unreachable, an agent that never connected is not reported as disconnected', () => {
  const since = new Date('2030-01-01T00:00:00.500Z');
  const [connected] = clusterConditions(undefined, { unheard: { silentReplica: undefined, since } });
  assert.is(`${connected?.status} ${connected?.reason}`, 'Unknown StoreUnreachable');
  assert.match(connected?.message ?? '', 'Redis is unreachable since 2030-01-01T00:00:00Z');
});

test('the last status of an agent whose state is unknown stays, marked as past', () => {
  const program = { inputVersion: '3/14', agentVersion: 'agent/1.2.3', capabilities: ['lag'] };
  const until = new Date('2030-01-01T00:00:00Z');
  const connected = { ...program, connectedReplica: 'r1', lag: '0s', inputLag: '30s' };
  const away = { ...program, lastReplica: 'r1', lastConnectedTime: until.toISOString() };
  assert.equal(agentStatusBefore(connected, until), away);
  assert.equal(agentStatusBefore(away, new Date('2031-01-01T00:00:00Z')), away, 'and stays as it is');
  assert.match(
    clusterConditions(undefined, { agent: away })[0]?.message ?? '',
    'it was last connected to replica r1, until 2030-01-01T00:00:00.000Z',
  );
});

test('a connected agent: replica, versions, lag, and common capabilities', () => {
  const { connections, record } = replica();
  connections.opened(session('push'), new Date('2030-01-01T00:00:00Z'));
  connections.opened(session('pull'));
  connections.lags('c1', 'outputs', [{ kind: huge.key, entries: 3, age: 42_000 }]);
  assert.equal(agentStatus(reported(record())), {
    inputVersion: '3/14',
    agentVersion: 'agent/1.2.3',
    capabilities: ['lag', 'resume'],
    connectedReplica: 'r1',
    lag: '30s',
    inputLag: '0s',
    certificateExpiry: '2030-01-01T00:00:00.000Z',
  });
  assert.equal(facts(record()), [
    'Connected True AgentConnected',
    'InputsComplete True Synced',
    'OutputsCurrent False Lagging',
  ]);
  assert.equal(JSON.parse(JSON.stringify(record())), record(), 'a record is JSON as it stands');
});

test('a disconnected agent: since when, and no claim about its cluster', () => {
  const { connections, record, pass } = replica();
  const ended = [connections.opened(session('push')), connections.opened(session('pull'))];
  pass(5000);
  for (const end of ended) end();
  assert.is(record()?.connected, false);
  assert.is(agentStatus(reported(record())).lastConnectedTime, new Date(1_005_000).toISOString());
  assert.is(agentStatus(reported(record())).connectedReplica, undefined);
  assert.is(agentStatus(reported(record())).lastReplica, 'r1');
  assert.equal(facts(record()), [
    'Connected False AgentDisconnected',
    'InputsComplete True Synced',
    'OutputsCurrent Unknown AgentDisconnected',
  ]);
});

test('a directly registered cluster that is unreachable: all unknown names the reason, and no advice about an agent', () => {
  const { connections, record } = replica();
  const problem = 'its API server does not accept the token; put another in its place';
  const outputs = `the state of the cluster is unknown: ${problem}`;
  const away = (of: ClusterRecord | undefined) =>
    clusterConditions(of, { problem }).map(({ type, status, reason, message }) => [type, status, reason, message]);
  assert.equal(away(undefined), [
    ['Connected', 'False', 'NotReached', problem],
    ['InputsComplete', 'Unknown', 'NotReached', `the state of the cluster is unknown: ${problem}`],
    ['OutputsCurrent', 'Unknown', 'NotReached', outputs],
  ]);
  const ends = [connections.opened(session('push')), connections.opened(session('pull'))];
  assert.equal(
    clusterConditions(record(), { problem }).map(({ type, status }) => `${type} ${status}`),
    ['Connected True', 'InputsComplete True', 'OutputsCurrent True', 'KubeconfigUsable False'],
  );
  for (const end of ends) end();
  assert.equal(away(record()), [
    ['Connected', 'False', 'NotReached', problem],
    ['InputsComplete', 'True', 'Synced', 'the server has everything that the agent sent'],
    ['OutputsCurrent', 'Unknown', 'NotReached', outputs],
  ]);
  const paused = { reason: 'Paused', message: 'the outputs of cluster c1 are paused' } as const;
  assert.equal(
    clusterConditions(record(), { problem, notSent: paused }).map(({ reason }) => reason),
    ['NotReached', 'Synced', 'Paused'],
    'that nothing is sent is known',
  );
});

test('problems with a cluster here are shown in addition to announcements of other replicas', () => {
  const { connections, record } = replica();
  connections.opened(session('push'));
  connections.opened(session('pull'));
  const onPeer = new Connections();
  onPeer.onPeerAnnouncement('c1', { record: { ...reported(record()), replica: 'r2' }, refused: [] });
  onPeer.setProblem('c1', 'its kubeconfig cannot be read');
  assert.equal([onPeer.of('c1').replica, onPeer.of('c1').problem], ['r2', 'its kubeconfig cannot be read']);
});

test('objects that cannot be transferred, rejected outputs and a server that is behind are all reported', () => {
  const { connections, quarantine, progress, record } = replica();
  connections.opened(session('push'));
  connections.opened(session('pull'));
  quarantine.add(huge, true);
  assert.match(
    clusterConditions(record())[1]?.message ?? '',
    'Service shop/huge (OBJECT_TOO_LARGE: make it smaller, or split it)',
  );
  assert.ok(facts(record()).includes('InputsComplete True UsingLastKnownGood'));
  quarantine.add(huge, false);
  progress.set('c1', { version: { term: 3, seq: 15 }, complete: false, compared: { term: 3, seq: 15 } });
  assert.ok(facts(record()).includes('InputsComplete False InputsRejected'));
  connections.refused('c1', [huge]);
  assert.ok(facts(record()).includes('OutputsCurrent False OutputsRejected'));
  connections.behind('c1', ['c2']);
  assert.ok(facts(record()).includes('OutputsCurrent False ServerInputsStale'));
});

test('a lag is reported in steps, so that watchers do not wake up every second', () => {
  const steps = [0, 4_999, 5_000, 29_999, 30_000, 60_000, 600_000, 3_600_000, 9e9].map(lagStep);
  assert.equal(steps, ['0s', '0s', '5s', '5s', '30s', '1m', '10m', '1h', '1h']);
  const { connections } = replica();
  let reported = 0;
  connections.listen(() => reported++);
  for (let age = 0; age < 29_000; age += 1000) connections.lags('c1', 'inputs', [{ kind: huge.key, entries: 1, age }]);
  assert.is(reported, 1);
});

test('of several replicas the newest connection counts, else the last; in any order', () => {
  const base = (changes: Partial<ClusterRecord>): ClusterRecord => ({
    cluster: 'c1',
    replica: 'r1',
    connected: true,
    term: 3,
    program: '',
    capabilities: [],
    inputs: { complete: true, lag: 0, missing: [], missingCount: 0 },
    outputs: { lag: 0, refused: 0, behind: [] },
    ...changes,
  });
  const gone = base({ replica: 'r9', connected: false, term: 9, lastConnectedTime: '2030-01-01T00:00:09Z' });
  const older = base({ replica: 'r2', connectedAt: '2030-01-01T00:00:01Z' });
  const newer = base({ replica: 'r3', connectedAt: '2030-01-01T00:00:02Z' });
  const later = base({ replica: 'r4', term: 4, connectedAt: '2030-01-01T00:00:00Z' });
  const pick = (...records: ClusterRecord[]): (string | undefined)[] => [
    foldRecords(records)?.replica,
    foldRecords(records.reverse())?.replica,
  ];
  assert.is(foldRecords([]), undefined);
  assert.equal(pick(gone, older, newer), ['r3', 'r3']);
  assert.equal(pick(older, later, newer), ['r4', 'r4']);
  const heard = base({ replica: 'r8', connected: false, term: 9, lastConnectedTime: '2030-01-01T00:00:08Z' });
  assert.equal(pick(gone, heard), ['r9', 'r9']);
  const knows = base({ inputs: { ...older.inputs, version: { term: 3, seq: 9 } } });
  assert.equal(foldRecords([later, knows])?.inputs.version, { term: 3, seq: 9 });
});

test.run();
