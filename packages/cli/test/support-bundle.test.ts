/** `meshctl support-bundle`: what is in it, and that no secret is. */
import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { kinds } from '@meshrelay/api';
import { configMapKind, type KubeConnection, meshrelayKind, secretKind } from '@meshrelay/kube';
import { DEPLOYMENT, POD } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { collect } from '../src/support/collect.ts';
import { redactArguments, redactLines, redactVariable } from '../src/support/redact.ts';
import { bare } from './support/bad-calls.ts';
import { managementCluster, NAMESPACE, type TestCluster } from './support/clusters.ts';
import { meshctlOnline } from './support/run-online.ts';

/** Each planted secret contains it. */
const MARK = 'pl4nted';
const EVENT = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true } as const;

let number = 0;
/** A secret without a format of its own. */
function planted(): string {
  number += 1;
  return `${MARK}${number}`;
}

function jwt(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part({ sub: 'a' })}.${planted()}`;
}

function privateKey(): string {
  return `-----BEGIN RSA PRIVATE KEY-----\n${planted()}\n${planted()}\n-----END RSA PRIVATE KEY-----`;
}

/** Lines as programs log them, each with a secret. */
function logLines(): readonly string[] {
  return [
    `{"level":"info","msg":"connected","password":"${planted()}","redis":{"auth":"${planted()}"}}`,
    `{"level":"error","msg":"dial redis://user:${planted()}@redis:6379 failed","token":"${planted()}"}`,
    `{"msg":"request failed: authorization: Bearer ${planted()}${planted()}"}`,
    `{"msg":"exec: helm --set password=${planted()}"}`,
    `2026-11-27T01:00:00Z Authorization: Basic ${planted()}${planted()}`,
    `2026-11-27T01:00:00Z {"client-key-data":"${planted()}"}`,
    `cookie: session=${planted()}; other=${planted()}`,
    `curl -H 'X-Api-Key: ${planted()}' https://user:${planted()}@example.com`,
    `the session is ${jwt()}`,
    `the registration token is mrt_${planted()}${'x'.repeat(20)}`,
    `AWS_SECRET_ACCESS_KEY_SECRET=${planted()}, REDIS_PASSWORD: ${planted()}`,
    `redis.password="${planted()} ${planted()}" url=redis://:${planted()}@redis`,
    privateKey(),
    `{"msg":${JSON.stringify(privateKey())}}`,
  ];
}

function metadata(name: string, more: object = {}): KubeObject['metadata'] {
  return {
    name,
    namespace: NAMESPACE,
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ data: { a: planted() } }),
      'example.com/note': planted(),
      'vault.hashicorp.com/agent-inject-token': planted(),
      'meshrelay.dev/changed-by': `ci with password=${planted()}`,
    },
    ...more,
  } as KubeObject['metadata'];
}

async function plant({ connection }: TestCluster): Promise<void> {
  const create = (kind: Parameters<KubeConnection['objects']>[0], object: object) =>
    connection.objects(kind).create(object as KubeObject);
  const data = Object.fromEntries(
    ['password', 'tls.key', 'note', '.dockerconfigjson'].map((key) => [key, btoa(planted())]),
  );
  await create(secretKind, { apiVersion: 'v1', kind: 'Secret', metadata: metadata('relay-secret'), data });
  const part = { labels: { 'app.kubernetes.io/part-of': 'meshrelay' } };
  const config = {
    relay: { serverAddress: 'relay.example.com:9900', cluster: 'east' },
    store: { redis: { password: planted(), addresses: [`redis://:${planted()}@redis:6379`], username: planted() } },
    plugins: [{ package: 'a-mesh', settings: { anything: planted(), endpoint: planted() } }],
  };
  await create(configMapKind, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('meshrelay-agent', part),
    data: { 'agent.yaml': `# ${planted()}\n${JSON.stringify(config)}` },
  });
  await create(configMapKind, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('another'),
    data: { note: planted(), 'config.yaml': `name: ${planted()}` },
    binaryData: { blob: btoa(planted()) },
  });
  const container = {
    name: 'agent',
    image: 'meshrelay/agent:0.0.0',
    command: ['/usr/bin/node', planted()],
    args: ['--config', '/etc/meshrelay/agent.yaml', `--redis.password=${planted()}`, '--requirepass', planted()],
    env: [
      { name: 'MESHRELAY_RELAY_CLUSTER', value: 'east' },
      { name: 'MESHRELAY_STORE_REDIS_PASSWORD', value: planted() },
      { name: 'HTTPS_PROXY', value: `http://a:${planted()}@proxy` },
      { name: 'NOTE', value: planted() },
    ],
    livenessProbe: { httpGet: { path: '/', port: 1, httpHeaders: [{ name: 'x-note', value: planted() }] } },
    lifecycle: { preStop: { exec: { command: ['sh', '-c', `echo ${planted()}`] } } },
  };
  const template = { metadata: metadata('', part), spec: { containers: [container] } };
  await create(POD, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata('agent-0'),
    spec: { containers: [container], initContainers: [{ ...container, name: 'plugin' }] },
  });
  await connection.objects(POD).applyStatus(
    { namespace: NAMESPACE, name: 'agent-0' },
    {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'agent',
          image: 'meshrelay/agent:0.0.0',
          imageID: '',
          ready: false,
          restartCount: 2,
          lastState: { terminated: { exitCode: 1, reason: 'Error', message: `token=${planted()}` } },
        },
      ],
    },
    { fieldManager: 'test' },
  );
  await create(DEPLOYMENT, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata('meshrelay-agent'),
    spec: { selector: { matchLabels: part.labels }, template: { ...template, metadata: part } },
  });
  await create(EVENT, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: metadata('one'),
    involvedObject: { kind: 'Pod', name: 'agent-0', namespace: NAMESPACE },
    reason: 'Failed',
    message: `pull failed: password=${planted()} at https://a:${planted()}@registry`,
  });
  await create(meshrelayKind('TrafficPolicy'), {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: metadata('headers'),
    spec: {
      httpRequestMatchers: [{ headers: [{ name: 'x-note', value: planted() }] }],
      policy: {
        headerManipulation: { appendRequestHeaders: { 'x-note': planted(), authorization: planted() } },
        requestTimeout: '5s',
      },
    },
  });
}

test('the bundle has objects, logs and checks, and none of the planted secrets', async () => {
  await using cluster = await managementCluster();
  await plant(cluster);
  const logs = logLines().join('\n');
  const { connection } = cluster;
  const source = {
    objects: connection.objects.bind(connection),
    request: connection.request.bind(connection),
    text: async () => logs,
  };
  const { files, problems } = await collect({ connection: source, namespace: NAMESPACE, folder: 'm', logLines: 100 });
  assert.equal(problems, []);
  const bundle = JSON.stringify([...files]);
  assert.equal(bundle.match(new RegExp(`.{60}${MARK}.{10}`, 'g')), null);
  assert.not.match(bundle, btoa(MARK).slice(0, 8));
  for (const expected of [
    ...[
      '"relay-secret"',
      '"tls.key":"[',
      '"another"',
      'relay.example.com:9900',
      '"MESHRELAY_RELAY_CLUSTER","value":"east"',
    ],
    ...[
      '/etc/meshrelay/agent.yaml',
      '"exitCode":1',
      'pull failed:',
      '"requestTimeout":"5s"',
      '"msg\\":\\"connected\\"',
    ],
    ...['meshrelay/agent:0.0.0', '"reason":"Failed"', 'storedVersions'],
  ])
    assert.ok(bundle.includes(expected), expected);
  const names = [...files.keys()];
  assert.equal(
    names.filter((name) => name.includes('/logs/')),
    ['m/logs/agent-0.plugin.log', 'm/logs/agent-0.agent.log', 'm/logs/agent-0.agent.previous.log'],
  );
  for (const { plural } of kinds) assert.ok(names.includes(`m/meshrelay/${plural}.json`), plural);
});

test('lines stay readable', () => {
  for (const line of [
    '{"level":"info","ts":"2026-11-27T01:00:00Z","logger":"agent.relay","msg":"connected","server":"relay:9900"}',
    'error: TrafficPolicy shop/canary is INVALID: spec.policy.retries.attempts must be at least 0, got -1',
    'Readiness probe failed: HTTP probe failed with statuscode: 503',
    'GET /api/v1/namespaces/meshrelay/pods?labelSelector=app%3Dagent 200',
  ])
    assert.is(redactLines(line), line);
  assert.equal(redactArguments(['--config', '/etc/a.yaml', '--relay.cluster=east', '--replica', 'a']), [
    ...['--config', '/etc/a.yaml', '--relay.cluster=east', '--replica', 'a'],
  ]);
  assert.equal(redactVariable({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'x' } } }), {
    name: 'A',
    valueFrom: { fieldRef: { fieldPath: 'x' } },
  });
});

test('the command writes a folder, and lists what it could not read', async () => {
  await using cluster = await managementCluster({ withCrds: false });
  const run = (...args: readonly string[]) =>
    meshctlOnline(
      ['support-bundle', '--kubeconfig', cluster.kubeconfig, ...args],
      cluster.folder,
      bare(cluster.folder),
    );
  const { code, stdout, stderr } = await run('--out', 'case');
  assert.is(code, 0, stderr);
  assert.match(stdout, 'case has everything; its README.txt says what was left out');
  const folder = join(cluster.folder, 'case');
  assert.equal(readdirSync(folder).sort(), ['README.txt', 'management', 'meshctl.txt', 'problems.txt']);
  assert.match(readFileSync(join(folder, 'problems.txt'), 'utf8'), 'management/meshrelay/trafficpolicies.json: ');
  assert.match(readFileSync(join(folder, 'README.txt'), 'utf8'), 'Not in it: the data of Secrets');
  assert.is(parse(readFileSync(join(folder, 'management/namespace/secrets.json'), 'utf8')).length, 1);
  assert.match((await run('--out', 'case')).stderr, '--out case: the folder is not empty');
  assert.match((await run('--agent-context', 'none', '--out', 'other')).stderr, 'context none does not exist');
});

test.run();
