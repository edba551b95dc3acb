/** The online commands as programs: their output and exit codes. */
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { meshrelayKind, Secrets } from '@meshrelay/kube';
import { CERTIFICATES_SECRET } from '@meshrelay/pki';
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { LEASE } from '../../src/online/kinds.ts';
import { bare, GOOD_SHAPE, testBadCalls } from '../support/bad-calls.ts';
import { managementCluster, NAMESPACE, type TestCluster } from '../support/clusters.ts';
import type { Result } from '../support/run-here.ts';
import { meshctlOnline } from '../support/run-online.ts';

function inManagement(cluster: TestCluster, ...args: string[]): Promise<Result> {
  return meshctlOnline([...args, '--mgmt-kubeconfig', cluster.kubeconfig], cluster.folder, bare(cluster.folder));
}

async function declare(cluster: TestCluster, name: string, status: object): Promise<void> {
  const clusters = cluster.connection.objects(meshrelayKind('KubernetesCluster'));
  const { apiVersion, kind } = { apiVersion: 'multicluster.meshrelay.dev/v1alpha1', kind: 'KubernetesCluster' };
  const key = { name, namespace: NAMESPACE };
  await clusters.create({ apiVersion, kind, metadata: key, spec: {} });
  await clusters.applyStatus(key, status, { fieldManager: 'test' });
}

async function holdLease(cluster: TestCluster, renewTime: Date): Promise<void> {
  await cluster.connection.objects(LEASE).create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'meshrelay-mgmt-server', namespace: NAMESPACE },
    spec: {
      holderIdentity: 'server-0',
      leaseDurationSeconds: 15,
      renewTime: renewTime.toISOString().replace('Z', '000Z'),
      acquireTime: renewTime.toISOString().replace('Z', '000Z'),
      leaseTransitions: 0,
    },
  } as KubeObject);
}

/** The Lease of a replica of the server. */
async function announce(
  cluster: TestCluster,
  index: number,
  { replica, renewTime, version = '0.1.0', problems }: Announced,
): Promise<void> {
  const annotations = {
    'meshrelay.dev/program': `meshrelay-mgmt-server/${version}`,
    ...(problems === undefined ? {} : { 'meshrelay.dev/problems': problems }),
  };
  await cluster.connection.objects(LEASE).create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: `meshrelay-mgmt-server-replica-${index}`, namespace: NAMESPACE, annotations },
    spec: {
      holderIdentity: replica === '' ? '' : `${replica}_4b1c`,
      leaseDurationSeconds: 30,
      renewTime: renewTime.toISOString().replace('Z', '000Z'),
    },
  } as KubeObject);
}

interface Announced {
  readonly replica: string;
  readonly renewTime: Date;
  readonly version?: string;
  readonly problems?: string;
}

async function addPolicy(cluster: TestCluster, status: object): Promise<void> {
  const policies = cluster.connection.objects(meshrelayKind('TrafficPolicy'));
  const key = { name: 'slow', namespace: NAMESPACE };
  await policies.create({
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: key,
    spec: { policy: { requestTimeout: '2s' } },
  });
  await policies.applyStatus(key, status, { fieldManager: 'test' });
}

function condition(type: string, status: string, reason: string, message: string): object {
  return { type, status, reason, message, lastTransitionTime: '2026-02-01T00:00:00Z' };
}

const WELL = { conditions: [condition('OutputsCurrent', 'True', 'Acknowledged', 'all of it')] };

test('list shows each cluster and whether its agent is connected', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  await declare(cluster, 'east', {
    ...WELL,
    state: 'CONNECTED',
    connectedReplica: 'server-0',
    firstSyncTime: '2026-01-01T00:00:00Z',
    inputVersion: '3/14',
    lag: '30s',
    inputLag: '0s',
  });
  const gone = { type: 'Connected', status: 'False', reason: 'AgentDisconnected', message: 'it is not' };
  await declare(cluster, 'north', {
    state: 'DISCONNECTED',
    lastConnectedTime: '2026-02-01T00:00:00Z',
    lastReplica: 'server-1',
    conditions: [{ ...gone, lastTransitionTime: '2026-02-01T00:00:00Z' }],
  });
  await declare(cluster, 'west', {});
  const { code, stdout, stderr } = await inManagement(cluster, 'cluster', 'list');
  assert.equal(
    [code, stderr, stdout.split('\n').map((line) => line.split(/\s{2,}/))],
    [
      0,
      '',
      [
        ['NAME', 'STATE', 'OUTPUTS', 'REPLICA', 'INPUTS', 'LAG', 'LAST CONNECTED', 'FIRST SYNCED'],
        ['east', 'CONNECTED', 'current', 'server-0', '3/14', '30s out, 0s in', '-', '2026-01-01T00:00:00Z'],
        ['north', 'DISCONNECTED', '-', '(server-1)', '-', '-', '2026-02-01T00:00:00Z', '-'],
        ['west', 'UNKNOWN', '-', '-', '-', '-', '-', '-'],
        ['north: Connected=False AgentDisconnected: it is not'],
        [''],
      ],
    ],
  );
});

test('list has every format', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  await declare(cluster, 'east', { state: 'CONNECTED', agentVersion: 'meshrelay-agent/1.2.3' });
  const gone = { type: 'Connected', status: 'False', reason: 'AgentDisconnected', message: 'it is not' };
  await declare(cluster, 'west', {
    state: 'DISCONNECTED',
    conditions: [{ ...gone, lastTransitionTime: '2026-02-01T00:00:00Z' }],
  });
  const list = (output: string) => inManagement(cluster, 'cluster', 'list', '-o', output);
  const name = 'kubernetescluster.multicluster.meshrelay.dev/';
  assert.is((await list('name')).stdout, `${name}east\n${name}west\n`);
  assert.match((await list('wide')).stdout, /^NAME .* AGENT .*\neast .* meshrelay-agent\/1\.2\.3 .* cluster\.local\n/);
  const { code, stdout, stderr } = await list('json');
  const { kind, items } = JSON.parse(stdout);
  assert.equal([code, kind, items.length, items[0].status.state], [0, 'List', 2, 'CONNECTED']);
  assert.is(stderr, 'west: Connected=False AgentDisconnected: it is not\n', 'data is not mixed with notes');
  assert.equal(parse((await list('yaml')).stdout), JSON.parse(stdout));
});

test('list without a cluster is an empty list of data', async () => {
  await using cluster = await managementCluster();
  const { code, stdout } = await inManagement(cluster, 'cluster', 'list', '-o', 'json');
  assert.equal([code, JSON.parse(stdout)], [0, { apiVersion: 'v1', kind: 'List', items: [] }]);
});

test('the management cluster is named as in kubectl, or as in cluster register, not by both', async () => {
  await using cluster = await managementCluster();
  const run = (...args: readonly string[]) =>
    meshctlOnline(['cluster', 'list', ...args], cluster.folder, bare('/nowhere'));
  const file = cluster.kubeconfig;
  const expected = 'no cluster is registered in namespace mesh\n';
  assert.is((await run('--kubeconfig', file, '-n', 'mesh')).stdout, expected);
  assert.is((await run('--mgmt-kubeconfig', file, '-n', 'mesh')).stdout, expected);
  assert.match((await run('--kubeconfig', file, '--context', 'none')).stderr, 'context none does not exist');
  const { code, stderr } = await run('--kubeconfig', file, '--mgmt-kubeconfig', file);
  assert.is(code, 1);
  assert.match(stderr, "option '--mgmt-kubeconfig <FILE>' cannot be used with option '--kubeconfig <FILE>'; see");
});

test('list reports an empty fleet', async () => {
  await using cluster = await managementCluster();
  const { code, stdout } = await inManagement(cluster, 'cluster', 'list');
  assert.equal([code, stdout], [0, 'no cluster is registered in namespace meshrelay\n']);
});

test('check passes for a healthy fleet', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  await announce(cluster, 0, { replica: 'server-0', renewTime: new Date() });
  await declare(cluster, 'east', { ...WELL, state: 'CONNECTED' });
  await declare(cluster, 'north', { ...WELL, state: 'CONNECTED' });
  await addPolicy(cluster, {
    observedGeneration: 1,
    state: 'ACCEPTED',
    targetCount: 0,
    targets: [],
    reports: [],
    conditions: [],
  });
  const { code, stdout, stderr } = await inManagement(cluster, 'check');
  assert.equal(
    [code, stderr, stdout],
    [
      0,
      '',
      '✓ the custom resource definitions are installed\n✓ a management server leads\n✓ every replica of the management server is healthy\n    server-0 runs meshrelay-mgmt-server/0.1.0\n✓ the agent of every registered cluster is connected\n✓ every cluster receives and accepts its outputs\n✓ the certificates of agents are valid\n✓ every cluster registers with its own token\n✓ every policy is accepted\n✓ every accepted policy is applied\n',
    ],
  );
});

test('check names every replica with its version, and problems of a follower, which needs no Redis', async () => {
  await using cluster = await managementCluster();
  const now = new Date();
  await holdLease(cluster, now);
  await announce(cluster, 0, { replica: 'server-0', renewTime: now });
  await announce(cluster, 1, { replica: '', renewTime: new Date(0) });
  const problems = 'Redis is unreachable since 2026-02-01T00:00:00.000Z';
  await announce(cluster, 2, { replica: 'server_1', renewTime: now, problems });
  await announce(cluster, 3, { replica: 'server-2', renewTime: new Date('2026-02-01T00:00:00Z'), problems });
  const { code, stdout } = await inManagement(cluster, 'check');
  assert.is(code, 2);
  assert.match(
    stdout,
    `✗ every replica of the management server is healthy
    server-0 runs meshrelay-mgmt-server/0.1.0
    server-2 runs meshrelay-mgmt-server/0.1.0
    server_1 runs meshrelay-mgmt-server/0.1.0
    - server-2 has not renewed the Lease meshrelay/meshrelay-mgmt-server-replica-3 since 2026-02-01T00:00:00.000000Z: it is frozen, disconnected or stopped
    - server_1: Redis is unreachable since 2026-02-01T00:00:00.000Z
    hint: `,
  );
});

test('check lists a killed replica that runs again once', async () => {
  await using cluster = await managementCluster();
  const now = new Date();
  await holdLease(cluster, now);
  await announce(cluster, 0, { replica: 'server-0', renewTime: new Date('2026-02-01T00:00:00Z') });
  await announce(cluster, 1, { replica: 'server-0', renewTime: now });
  const { stdout } = await inManagement(cluster, 'check');
  assert.match(
    stdout,
    '✓ every replica of the management server is healthy\n    server-0 runs meshrelay-mgmt-server/0.1.0\n✗ the agent',
  );
});

test('check accepts two neighbouring versions as an upgrade, and names versions that may not run together', async () => {
  const now = new Date();
  for (const [version, isFit] of [
    ['0.2.7', true],
    ['0.3.0', false],
    ['1.1.0', false],
  ] as const) {
    await using cluster = await managementCluster();
    await holdLease(cluster, now);
    await announce(cluster, 0, { replica: 'server-0', renewTime: now });
    await announce(cluster, 1, { replica: 'server-1', renewTime: now, version });
    const { stdout } = await inManagement(cluster, 'check');
    assert.match(stdout, `server-1 runs meshrelay-mgmt-server/${version}`);
    const line = `versions that may not run together: meshrelay-mgmt-server/0.1.0, meshrelay-mgmt-server/${version}`;
    assert.is(stdout.includes(line), !isFit, version);
  }
});

test('check reports why the kubeconfig of a cluster fails, and lists the cluster if the previous one still works', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  const bad = { status: 'False', lastTransitionTime: '2026-02-01T00:00:00Z' };
  const refused = { ...bad, type: 'Connected', reason: 'NotReached', message: 'its API server does not accept it' };
  const unreadable = { ...bad, type: 'KubeconfigUsable', reason: 'NotUsable', message: 'it cannot be read' };
  await declare(cluster, 'east', { state: 'DISCONNECTED', conditions: [refused] });
  await declare(cluster, 'west', { state: 'CONNECTED', conditions: [unreadable] });
  const { code, stdout } = await inManagement(cluster, 'check');
  assert.is(code, 2);
  assert.match(
    stdout,
    '    - east is DISCONNECTED: its API server does not accept it\n    - west: it cannot be read\n',
  );
});

test('check names the plugin whose discovery fails, and its cluster', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  const failing = {
    type: 'PluginsWork',
    status: 'False',
    reason: 'PluginFailed',
    message: 'discovery fails: kuma: boom',
  };
  await declare(cluster, 'east', {
    state: 'CONNECTED',
    conditions: [{ ...failing, lastTransitionTime: '2026-02-01T00:00:00Z' }],
  });
  const { code, stdout } = await inManagement(cluster, 'check');
  assert.is(code, 2);
  assert.match(stdout, '    - east: discovery fails: kuma: boom\n');
});

test('check names clusters whose agent has seen a newer server, so that an older release sends nothing', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  const behind = {
    type: 'OutputsCurrent',
    status: 'False',
    reason: 'ServerInputsStale',
    message: 'it lacks /WasmDeployment',
  };
  await declare(cluster, 'east', {
    state: 'CONNECTED',
    conditions: [{ ...behind, lastTransitionTime: '2026-02-01T00:00:00Z' }],
  });
  const { code, stdout } = await inManagement(cluster, 'check');
  assert.is(code, 2);
  assert.match(stdout, '    - east: it lacks /WasmDeployment\n');
});

const FROZEN_ENVOYS =
  'Envoys in east have not acknowledged this policy yet; waiting for those of east/shop/desk (1); replicas of the agent that do not report their Envoys: east/agent-1';

/**
 * Statuses of policies while a component that should apply them is frozen or gone, and whether `check` lists them in
 * addition to the cluster's problem.
 */
const NOT_APPLIED: ReadonlyArray<readonly [status: string, reason: string, message: string, isListed: boolean]> = [
  ['False', 'ProxiesPending', FROZEN_ENVOYS, true],
  ['Unknown', 'ProxiesDisconnected', 'pods whose Envoy is not connected to the agent may not have this policy', true],
  ['False', 'InProgress', 'on its way to east', true],
  ['False', 'Paused', 'the outputs of cluster east are paused', false],
  ['Unknown', 'Disconnected', 'cluster east is away', false],
];

test('check names an accepted policy that is not applied: its agent, a follower of its agent, or Envoys are frozen', async () => {
  for (const [status, reason, message, isListed] of NOT_APPLIED) {
    await using cluster = await managementCluster();
    await holdLease(cluster, new Date());
    await declare(cluster, 'east', { ...WELL, state: 'CONNECTED' });
    const accepted = { observedGeneration: 1, state: 'ACCEPTED', targetCount: 0, targets: [], reports: [] };
    await addPolicy(cluster, { ...accepted, conditions: [condition('Applied', status, reason, message)] });
    const { code, stdout } = await inManagement(cluster, 'check');
    assert.match(stdout, '✓ every policy is accepted\n');
    const line = `✗ every accepted policy is applied\n    - TrafficPolicy meshrelay/slow: ${reason}: ${message}\n    hint: `;
    assert.equal([code, stdout.includes(line)], isListed ? [2, true] : [0, false], reason);
  }
});

test('check gives a policy ten seconds to be applied', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  await declare(cluster, 'east', { ...WELL, state: 'CONNECTED' });
  const underway = { type: 'Applied', status: 'False', reason: 'InProgress', message: 'on its way to east' };
  const conditions = [{ ...underway, lastTransitionTime: new Date().toISOString() }];
  await addPolicy(cluster, {
    observedGeneration: 1,
    state: 'ACCEPTED',
    targetCount: 0,
    targets: [],
    reports: [],
    conditions,
  });
  assert.is((await inManagement(cluster, 'check')).code, 0);
});

test('check names all problems, each with a hint, and exits with 2', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  await declare(cluster, 'east', { state: 'DISCONNECTED' });
  await declare(cluster, 'west', {});
  const report = { code: 'REFERENCE_NOT_FOUND', severity: 'error', message: 'Service ratings does not exist' };
  await addPolicy(cluster, {
    observedGeneration: 1,
    state: 'INVALID',
    targetCount: 0,
    targets: [],
    reports: [report],
    conditions: [],
  });
  const { code, stdout } = await inManagement(cluster, 'check');
  assert.is(code, 2);
  assert.match(stdout, '✓ the custom resource definitions are installed');
  assert.match(stdout, '    - east is DISCONNECTED\n    - west is not seen by the server yet\n    hint: ');
  assert.match(
    stdout,
    '    - TrafficPolicy meshrelay/slow is INVALID: Service ratings does not exist\n    hint: meshctl describe',
  );
});

const PAUSED = condition('OutputsCurrent', 'False', 'Paused', 'the outputs of cluster east are paused');
const SUSPENDED = condition('OutputsCurrent', 'False', 'Suspended', 'cluster east is suspended');
const SAFE_MODE = condition(
  'OutputsCurrent',
  'False',
  'SafeMode',
  'nothing is sent to any cluster; missing: cluster north',
);
const BEHIND = condition('OutputsCurrent', 'False', 'ServerInputsStale', 'the agent has seen newer inputs');
/** Both conditions of a cluster whose outputs are unknown. */
function unknown(connected: string, reason: string, message: string): object[] {
  return [condition('Connected', connected, reason, message), condition('OutputsCurrent', 'Unknown', reason, message)];
}

const AGENTS = 'the agent of every registered cluster is connected';
const OUTPUTS = 'every cluster receives and accepts its outputs';

/** Components of an installation that are stopped, frozen, paused, suspended or gone, and the lines that report it. */
const TROUBLES: ReadonlyArray<{
  readonly what: string;
  readonly status: object;
  /** Of the cluster in the table of `cluster list`: its state and its outputs. */
  readonly row: readonly [state: string, outputs: string];
  /** Failed lines of `check`, each with its problem. */
  readonly lines: ReadonlyArray<readonly [line: string, problem: string]>;
}> = [
  {
    what: 'its outputs are paused',
    status: { state: 'CONNECTED', conditions: [PAUSED] },
    row: ['CONNECTED', 'Paused'],
    lines: [[OUTPUTS, 'east: the outputs of cluster east are paused']],
  },
  {
    what: 'it is suspended',
    status: { state: 'SUSPENDED', conditions: [SUSPENDED] },
    row: ['SUSPENDED', 'Suspended'],
    lines: [[OUTPUTS, 'east: cluster east is suspended']],
  },
  {
    what: 'the server is in safe mode',
    status: { state: 'CONNECTED', conditions: [SAFE_MODE] },
    row: ['CONNECTED', 'SafeMode'],
    lines: [[OUTPUTS, 'safe mode: nothing is sent to any cluster; missing: cluster north']],
  },
  {
    what: 'its agent takes nothing, as the server is behind it',
    status: { state: 'CONNECTED', conditions: [BEHIND] },
    row: ['CONNECTED', 'ServerInputsStale'],
    lines: [[OUTPUTS, 'east: the agent has seen newer inputs']],
  },
  {
    what: 'the replica that its agent is connected to is silent',
    status: { state: 'UNKNOWN', conditions: unknown('Unknown', 'ReplicaSilent', 'replica server-1 is silent') },
    row: ['UNKNOWN', 'ReplicaSilent'],
    lines: [
      [AGENTS, 'east is UNKNOWN: replica server-1 is silent'],
      [OUTPUTS, 'east: not known: replica server-1 is silent'],
    ],
  },
  {
    what: 'Redis is gone',
    status: { state: 'UNKNOWN', conditions: unknown('Unknown', 'StoreUnreachable', 'Redis is not reached') },
    row: ['UNKNOWN', 'StoreUnreachable'],
    lines: [
      [AGENTS, 'east is UNKNOWN: Redis is not reached'],
      [OUTPUTS, 'east: not known: Redis is not reached'],
    ],
  },
  {
    what: 'its agent is gone',
    status: { state: 'DISCONNECTED', conditions: unknown('False', 'AgentDisconnected', 'the agent is away') },
    row: ['DISCONNECTED', 'AgentDisconnected'],
    lines: [
      [AGENTS, 'east is DISCONNECTED: the agent is away'],
      [OUTPUTS, 'east: not known: the agent is away'],
    ],
  },
  {
    what: 'the server has reported nothing on its outputs yet',
    status: { state: 'CONNECTED', conditions: [] },
    row: ['CONNECTED', '-'],
    lines: [[OUTPUTS, 'east: not known: the server has not reported on it yet']],
  },
];

for (const { what, status, row, lines } of TROUBLES) {
  test(`check and list report for a cluster: ${what}`, async () => {
    await using cluster = await managementCluster();
    await holdLease(cluster, new Date());
    await declare(cluster, 'east', status);
    const check = await inManagement(cluster, 'check');
    assert.is(check.code, 2);
    const bad = check.stdout.split('\n').filter((text) => /^ {4}-|^✗/.test(text));
    assert.equal(
      bad,
      lines.flatMap(([line, problem]) => [`✗ ${line}`, `    - ${problem}`]),
    );
    const list = await inManagement(cluster, 'cluster', 'list');
    assert.is(list.code, 0);
    const [, shown = '', problem = ''] = list.stdout.split('\n');
    assert.equal(shown.split(/\s{2,}/).slice(0, 3), ['east', ...row]);
    if (row[1] !== '-') assert.match(problem, /^east: \w+=(False|Unknown) \w+: /);
  });
}

test('while no server is running, check and list report no state that only it would know', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date('2026-01-01T00:00:00Z'));
  await declare(cluster, 'east', { state: 'CONNECTED', connectedReplica: 'server-0', lag: '0s', inputLag: '0s' });
  const accepted = {
    observedGeneration: 1,
    state: 'ACCEPTED',
    targetCount: 0,
    targets: [],
    reports: [],
    conditions: [],
  };
  await addPolicy(cluster, accepted);
  const check = await inManagement(cluster, 'check');
  assert.is(check.code, 2);
  const bad = check.stdout.split('\n').filter((text) => /^ {4}-|^✗/.test(text));
  const unknown = '    - unknown: no management server leads, and the state shown is of 2026-01-01T00:00:00.000000Z';
  assert.equal(bad, [
    '✗ a management server leads',
    '    - server-0 has not renewed the Lease meshrelay/meshrelay-mgmt-server since 2026-01-01T00:00:00.000000Z',
    '✗ the agent of every registered cluster is connected',
    unknown,
    '✗ every cluster receives and accepts its outputs',
    unknown,
    '✗ every policy is accepted',
    unknown,
    '✗ every accepted policy is applied',
    unknown,
  ]);
  const list = await inManagement(cluster, 'cluster', 'list');
  const [, shown = '', last = ''] = list.stdout.split('\n');
  assert.equal(
    [list.code, shown.split(/\s{2,}/)],
    [2, ['east', 'UNKNOWN', '-', '(server-0)', '-', '-', '2026-01-01T00:00:00.000000Z', '-']],
  );
  assert.match(last, /^the state of clusters is unknown: no management server leads.*has not renewed the Lease/);
});

test('check reports certificates that are not renewed, and revoked clusters', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
  await declare(cluster, 'east', { state: 'CONNECTED', certificateExpiry: inMinutes(30) });
  await declare(cluster, 'north', { state: 'DISCONNECTED', certificateExpiry: inMinutes(-30) });
  await declare(cluster, 'south', { state: 'CONNECTED', certificateExpiry: inMinutes(600) });
  await declare(cluster, 'west', { state: 'DISCONNECTED' });
  assert.is((await inManagement(cluster, 'cluster', 'revoke', 'west')).code, 0);
  const { stdout } = await inManagement(cluster, 'check');
  assert.match(stdout, '✗ the certificates of agents are valid');
  assert.match(stdout, '    - the certificate of east ends at');
  assert.match(stdout, '    - the certificate of north ended at');
  assert.match(stdout, '    - west was revoked, and has not been registered again or readmitted');
  assert.not.match(stdout, 'of south');
  await new Secrets(cluster.connection, 'meshrelay').update(CERTIFICATES_SECRET, () => ({ west: 'canary' }));
  assert.match((await inManagement(cluster, 'check')).stdout, '    - Secret relay-certificates: west holds no');
});

for (const command of ['revoke', 'readmit'])
  test(`${command} of an unknown name is rejected, and writes nothing`, async () => {
    await using cluster = await managementCluster();
    await declare(cluster, 'east-1', {});
    const before = JSON.stringify(cluster.sim.snapshot());
    const { code, stdout, stderr } = await inManagement(cluster, 'cluster', command, 'eats-1');
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, 'error: cluster eats-1 is unknown: no KubernetesCluster meshrelay/eats-1');
    assert.match(stderr, 'did you mean east-1?');
    assert.is(JSON.stringify(cluster.sim.snapshot()), before);
  });

test('revoke takes names that are registered, have a token, or had a certificate', async () => {
  await using cluster = await managementCluster();
  await declare(cluster, 'registered', {});
  await inManagement(cluster, 'token', 'create', 'with-token');
  for (const name of ['registered', 'with-token', 'with-token']) {
    const { code, stdout, stderr } = await inManagement(cluster, 'cluster', 'revoke', name);
    assert.is(code, 0, stderr);
    assert.match(stdout, `${name} is revoked`);
  }
  const readmitted = await inManagement(cluster, 'cluster', 'readmit', 'registered');
  assert.match(readmitted.stdout, 'registered is readmitted');
  const version = async () => (await new Secrets(cluster.connection, NAMESPACE).read(CERTIFICATES_SECRET))?.object;
  const before = await version();
  const again = await inManagement(cluster, 'cluster', 'readmit', 'registered');
  assert.match(again.stdout, 'was not revoked');
  assert.equal(await version(), before, 'nothing is written');
});

test('check ignores a state from before the last change', async () => {
  await using cluster = await managementCluster();
  await holdLease(cluster, new Date());
  await declare(cluster, 'east', { state: 'CONNECTED' });
  await addPolicy(cluster, {
    observedGeneration: 0,
    state: 'ACCEPTED',
    targetCount: 0,
    targets: [],
    reports: [],
    conditions: [],
  });
  const { code, stdout } = await inManagement(cluster, 'check');
  assert.is(code, 2);
  assert.match(stdout, '    - TrafficPolicy meshrelay/slow is not evaluated yet\n');
});

test('check of a cluster without Meshrelay names the missing parts', async () => {
  await using cluster = await managementCluster({ withCrds: false });
  const { code, stdout, stderr } = await inManagement(cluster, 'check');
  assert.equal([code, stderr], [2, '']);
  assert.match(stdout, '    - trafficpolicies.networking.meshrelay.dev is missing\n');
  assert.match(stdout, '    - Lease meshrelay/meshrelay-mgmt-server does not exist');
  assert.match(stdout, '    - no cluster is registered\n');
});

testBadCalls(meshctlOnline, [
  {
    what: 'no kubeconfig at all',
    args: ['cluster', 'list'],
    says: ['no kubeconfig at', '--kubeconfig FILE'],
  },
  {
    what: 'a kubeconfig that is not there',
    args: ['check', '--mgmt-kubeconfig', 'none'],
    says: ['no kubeconfig at none; give one with --mgmt-kubeconfig FILE'],
  },
  {
    what: 'a kubeconfig that does not parse',
    kubeconfig: 'clusters: [\n',
    args: ['check', '--mgmt-kubeconfig', 'kubeconfig.yaml'],
    says: ['kubeconfig.yaml: cannot be read as a kubeconfig'],
  },
  {
    what: 'a context that is not there',
    kubeconfig: GOOD_SHAPE,
    args: ['cluster', 'list', '--mgmt-kubeconfig', 'kubeconfig.yaml', '--mgmt-context', 'b'],
    says: ['context b does not exist; choose one of a'],
  },
  {
    what: 'an API server that does not answer',
    kubeconfig: GOOD_SHAPE,
    args: ['check', '--mgmt-kubeconfig', 'kubeconfig.yaml'],
    says: ['127.0.0.1:1'],
  },
  { what: 'an unknown flag', args: ['check', '--mgmt-kubeconfg', 'x'], says: ['Did you mean --mgmt-kubeconfig?'] },
  {
    what: 'an unknown subcommand',
    args: ['cluster', 'lst'],
    says: ['unknown command "cluster lst"', 'did you mean meshctl cluster list?'],
  },
]);

test('uses the first kubeconfig of KUBECONFIG that exists', async () => {
  await using cluster = await managementCluster();
  const { code, stdout } = await meshctlOnline(['cluster', 'list'], cluster.folder, {
    ...bare(cluster.folder),
    KUBECONFIG: `${join(cluster.folder, 'none')}:${cluster.kubeconfig}`,
  });
  assert.equal([code, stdout], [0, 'no cluster is registered in namespace meshrelay\n']);
});

test.run();
