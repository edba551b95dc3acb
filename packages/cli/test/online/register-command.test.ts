/** `meshctl cluster register` as a program: its output and exit codes. */
import type { KubeObject } from '@meshrelay/api';
import { DEPLOYMENT } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { NAMESPACE as NAMESPACES } from '../../src/online/kinds.ts';
import { bare, GOOD_SHAPE, testBadCalls } from '../support/bad-calls.ts';
import { managementCluster, NAMESPACE, type TestCluster, workloadCluster } from '../support/clusters.ts';
import { meshctlHere, type Result } from '../support/run.ts';

function inManagement(cluster: TestCluster, ...args: string[]): Promise<Result> {
  return meshctlHere([...args, '--mgmt-kubeconfig', cluster.kubeconfig], cluster.folder, bare(cluster.folder));
}

test('register prints each step, and the next action for the agent', async () => {
  await using cluster = await managementCluster();
  await using workload = await workloadCluster();
  const { code, stdout, stderr } = await inManagement(
    cluster,
    ...['cluster', 'register', 'east', '--kubeconfig', workload.kubeconfig, '--no-install', '--timeout', '0s'],
  );
  assert.equal(
    [code, stderr, stdout.split('\n')],
    [
      0,
      '',
      [
        'Registering east',
        `  management cluster: context ${cluster.connection.context} (${cluster.sim.url})`,
        `  cluster to register: context ${workload.connection.context} (${workload.sim.url})`,
        '  ✓ root CA copied to meshrelay/relay-root-tls-secret',
        '  ✓ token copied to meshrelay/relay-identity-token-secret, valid once for this cluster',
        '  ✓ agent: start it in the cluster with relay.cluster=east and relay.serverAddress of your server, if it does not run yet',
        '  ✓ KubernetesCluster meshrelay/east created',
        '',
      ],
    ],
  );
});

test('register does not use the management cluster as the workload cluster, unless that is meant', async () => {
  await using cluster = await managementCluster();
  const before = JSON.stringify(cluster.sim.snapshot());
  const env = { ...bare(cluster.folder), KUBECONFIG: cluster.kubeconfig };
  const register = ['cluster', 'register', 'east', '--no-install', '--timeout', '0s'];
  const { code, stderr } = await meshctlHere(register, cluster.folder, env);
  assert.is(code, 1);
  assert.match(
    stderr,
    `without --kubeconfig and --context the command would register the management cluster itself, ${cluster.sim.url}`,
  );
  const named = [...register, '--kubeconfig', cluster.kubeconfig];
  const refused = await meshctlHere(named, cluster.folder, env);
  assert.match(refused.stderr, `the cluster to register is the management cluster itself, ${cluster.sim.url}; give`);
  assert.is(JSON.stringify(cluster.sim.snapshot()), before);
  const meant = await meshctlHere([...named, '--management-cluster'], cluster.folder, env);
  assert.is(meant.code, 0, meant.stderr);
  assert.match(meant.stdout, '✓ the cluster is the management cluster itself\n');
});

test('register accepts a current context other than the management cluster', async () => {
  await using cluster = await managementCluster();
  await using workload = await workloadCluster();
  const env = { ...bare(cluster.folder), KUBECONFIG: workload.kubeconfig };
  const args = [
    'cluster',
    'register',
    'east',
    '--no-install',
    '--timeout',
    '0s',
    '--mgmt-kubeconfig',
    cluster.kubeconfig,
  ];
  const { code, stdout, stderr } = await meshctlHere(args, cluster.folder, env);
  assert.equal([code, stderr], [0, '']);
  assert.not.match(stdout, 'management cluster itself');
});

const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true } as const;

const NAMED_WEST: readonly (readonly [string, object, string])[] = [
  ['its configuration', { args: ['--config', '/etc/meshrelay/config.yaml'] }, 'ConfigMap meshrelay/meshrelay-agent'],
  [
    'a variable',
    {
      args: ['--config=/etc/meshrelay/config.yaml'],
      env: [{ name: 'MESHRELAY_RELAY_CLUSTER', value: 'west' }],
    },
    'Deployment meshrelay/meshrelay-agent',
  ],
  ['a flag', { args: ['--relay.cluster=west'] }, 'Deployment meshrelay/meshrelay-agent'],
];

for (const [what, container, by] of NAMED_WEST)
  test(`register refuses an installed agent that has another name by ${what}`, async () => {
    await using cluster = await managementCluster();
    await using workload = await workloadCluster();
    await addAgent(workload, container);
    const before = JSON.stringify([cluster.sim.snapshot(), workload.sim.snapshot()]);
    for (const more of [[], ['--no-install']]) {
      const words = ['--kubeconfig', workload.kubeconfig, '--timeout', '0s', ...more];
      const { code, stdout, stderr } = await inManagement(cluster, 'cluster', 'register', 'east', ...words);
      assert.equal([code, stdout], [1, '']);
      assert.is(
        stderr,
        `error: the agent in the cluster at ${workload.sim.url} has the name west, by relay.cluster in ${by}, expected east; register it as west, or rename it first: meshctl upgrade agent --context ${workload.connection.context} -n meshrelay --set config.relay.cluster=east\n`,
      );
      assert.is(JSON.stringify([cluster.sim.snapshot(), workload.sim.snapshot()]), before, 'nothing is changed');
    }
    const words = ['cluster', 'register', 'west', '--kubeconfig', workload.kubeconfig, '--timeout', '0s'];
    const accepted = await inManagement(cluster, ...words);
    assert.equal([accepted.code, accepted.stderr], [0, '']);
    assert.match(accepted.stdout, 'the agent is installed already');
  });

async function addAgent({ connection }: TestCluster, container: object): Promise<void> {
  const metadata = { name: 'meshrelay-agent', namespace: NAMESPACE };
  const labels = { app: 'agent' };
  const volumeMounts = [{ name: 'config', mountPath: '/etc/meshrelay' }];
  const containers = [
    { name: 'sidecar', image: 'sidecar' },
    { name: 'agent', image: 'agent', volumeMounts, ...container },
  ];
  const volumes = [{ name: 'config', configMap: { name: 'meshrelay-agent' } }];
  const data = { 'config.yaml': 'relay:\n  cluster: west\n' };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as unknown as KubeObject;
  await connection
    .objects(NAMESPACES)
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE }, spec: {} });
  await connection.objects(CONFIG_MAPS).create(configMap);
  await connection.objects(DEPLOYMENT).create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers, volumes } } },
  });
}

test('register --direct rejects options that are for an agent', async () => {
  await using cluster = await managementCluster();
  const direct = ['cluster', 'register', 'east', '--direct', 'x.yaml'];
  for (const [option, ...value] of [
    ['--context', 'x'],
    ['--kubeconfig', 'x'],
    ['--replace'],
    ['--token-ttl', '2h'],
    ['--no-install'],
    ['--set', 'a=b'],
  ]) {
    const { code, stdout, stderr } = await inManagement(cluster, ...direct, option ?? '', ...value);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, `--direct registers without an agent; remove ${option}`);
  }
  const { code, stderr } = await inManagement(cluster, 'cluster', 'register', 'east', '--plugin', 'x');
  assert.equal([code, stderr.includes('--plugin needs --direct; remove it')], [1, true]);
});

testBadCalls(meshctlHere, [
  {
    what: 'no kubeconfig of the cluster to register',
    kubeconfig: GOOD_SHAPE,
    args: ['cluster', 'register', 'east', '--mgmt-kubeconfig', 'kubeconfig.yaml'],
    says: ['no kubeconfig at', '--kubeconfig FILE'],
  },
  {
    what: 'a bad cluster name, whatever else is wrong',
    args: ['cluster', 'register', 'East_1'],
    says: ["command-argument value 'East_1' is invalid for argument 'name'. Not a cluster name"],
  },
  {
    what: 'a bad duration',
    args: ['cluster', 'register', 'a', '--timeout', 'soon'],
    says: ["option '--timeout <DURATION>' argument 'soon' is invalid", 'Not a duration'],
  },
  { what: 'no name', args: ['cluster', 'register'], says: ["missing required argument 'name'"] },
]);

test.run();
