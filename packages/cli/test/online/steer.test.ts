/** suspend, resume, pause, deregister: their changes in the management cluster, and their output. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { KubeObject, KubernetesClusterStatus } from '@meshrelay/api';
import { meshrelayKind, Secrets } from '@meshrelay/kube';
import {
  CERTIFICATES_SECRET,
  CertificateRegistry,
  readCertificateBook,
  readTokenBook,
  TOKENS_SECRET,
  Token,
  writeCertificateBook,
} from '@meshrelay/pki';
import { CHANGED_BY_ANNOTATION } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { confirm } from '../../src/online/confirm.ts';
import { deregisterCluster } from '../../src/online/deregister.ts';
import { managementCluster, NAMESPACE, type TestCluster } from '../support/clusters.ts';
import { meshctlOnline } from '../support/run-online.ts';

async function registered(state: string): Promise<TestCluster> {
  const management = await managementCluster();
  const clusters = management.connection.objects(meshrelayKind('KubernetesCluster'));
  await clusters.create({
    apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
    kind: 'KubernetesCluster',
    metadata: { name: 'east', namespace: NAMESPACE },
    spec: { clusterDomain: 'east.example' },
  } as KubeObject);
  const status = { state } as KubernetesClusterStatus;
  await clusters.applyStatus({ name: 'east', namespace: NAMESPACE }, status, { fieldManager: 'test', force: true });
  return management;
}

const run = (management: TestCluster, ...args: readonly string[]) =>
  meshctlOnline([...args, '--mgmt-kubeconfig', management.kubeconfig], management.folder);
const read = (management: TestCluster, kind: 'KubernetesCluster' | 'Settings', name: string) =>
  management.connection.objects(meshrelayKind(kind)).read({ name, namespace: NAMESPACE });

test('suspend and resume change the registration and nothing else, with the requester', async () => {
  await using management = await registered('CONNECTED');
  assert.is((await run(management, 'cluster', 'suspend', 'east')).stdout, 'east is suspended now\n');
  const suspended = await read(management, 'KubernetesCluster', 'east');
  assert.equal(suspended?.spec, { clusterDomain: 'east.example', suspended: true });
  assert.ok(suspended?.metadata.annotations?.[CHANGED_BY_ANNOTATION]);
  assert.is((await run(management, 'cluster', 'suspend', 'east')).stdout, 'east is already suspended\n');
  assert.is((await run(management, 'cluster', 'resume', 'east')).stdout, 'east is not suspended now\n');
  const unknown = await run(management, 'cluster', 'suspend', 'west');
  assert.is(unknown.code, 1);
  assert.match(unknown.stderr, 'cluster west is not registered');
});

test('pause applies to one cluster, or to the fleet, whose Settings it creates', async () => {
  await using management = await registered('CONNECTED');
  await run(management, 'pause', 'east');
  assert.equal((await read(management, 'KubernetesCluster', 'east'))?.spec, {
    clusterDomain: 'east.example',
    paused: true,
  });
  assert.is((await run(management, 'unpause')).stdout, 'the outputs of all clusters are already not paused\n');
  assert.is(await read(management, 'Settings', 'settings'), undefined);
  assert.is((await run(management, 'pause')).stdout, 'the outputs of all clusters are paused now\n');
  assert.equal((await read(management, 'Settings', 'settings'))?.spec, { paused: true });
  await run(management, 'unpause');
  assert.equal((await read(management, 'Settings', 'settings'))?.spec, { paused: false });
});

test('ending only one of pause and suspend reports the other', async () => {
  await using management = await registered('CONNECTED');
  await run(management, 'cluster', 'suspend', 'east');
  assert.is(
    (await run(management, 'unpause', 'east')).stdout,
    'the outputs of east are already not paused\neast is suspended, so nothing is sent to it; end that with meshctl cluster resume east\n',
  );
  await run(management, 'cluster', 'resume', 'east');
  await run(management, 'pause', 'east');
  await run(management, 'pause');
  assert.is(
    (await run(management, 'cluster', 'resume', 'east')).stdout,
    'east is already not suspended\nthe outputs of east are paused; end that with meshctl unpause east\nthe outputs of all clusters are paused; end that with meshctl unpause\n',
  );
  assert.is(
    (await run(management, 'unpause', 'east')).stdout,
    'the outputs of east are not paused now\nthe outputs of all clusters are paused; end that with meshctl unpause\n',
  );
  const old = await run(management, 'resume', 'east');
  assert.equal([old.code, old.stderr], [1, 'error: unknown command "resume"; see meshctl --help\n']);
});

test('deregister does nothing without --yes and without a terminal', async () => {
  await using management = await registered('DRAINED');
  const before = JSON.stringify(management.sim.snapshot());
  const { code, stdout, stderr } = await run(management, 'cluster', 'deregister', 'east');
  assert.equal([code, stdout], [1, '']);
  assert.is(
    stderr,
    'error: confirm to end the registration of east with --yes, because there is no terminal for a question\n',
  );
  assert.is(JSON.stringify(management.sim.snapshot()), before);
});

test('deregister prints the planned changes before its question, and continues only after yes', async () => {
  for (const [mode, line] of [
    ['drain', '  - removed from east: all generated objects, with the label meshrelay.dev/owner=meshrelay'],
    ['orphan', '  - generated objects stay in east (--mode orphan)'],
  ] as const) {
    await using management = await registered('DRAINED');
    const plan = {
      management: management.connection,
      namespace: NAMESPACE,
      cluster: 'east',
      mode,
      timeout: 1000,
      now: () => new Date(),
      step: () => undefined,
    };
    const before = JSON.stringify(management.sim.snapshot());
    let requested: readonly string[] = [];
    const refusing = async (lines: readonly string[]): Promise<void> => {
      requested = lines;
      throw new Error('no');
    };
    await deregisterCluster({ ...plan, confirm: refusing }).then(
      () => assert.unreachable(),
      ({ message }: Error) => assert.is(message, 'no'),
    );
    assert.equal(requested, [
      `This ends the registration of east in namespace meshrelay of ${management.sim.url}:`,
      line,
      '  - revoked: 0 valid certificates, and every token of east',
      '  - deleted: KubernetesCluster meshrelay/east',
      '  - removed from other clusters: objects that depend on east',
    ]);
    assert.is(JSON.stringify(management.sim.snapshot()), before);
  }
});

for (const [answer, goesOn] of [
  ['yes\n', true],
  ['YES \n', true],
  ['y\n', false],
  ['\n', false],
  ['east\n', false],
  ['', false],
] as const)
  test(`a question is ${goesOn ? 'confirmed' : 'not confirmed'} by ${JSON.stringify(answer)}`, async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = new PassThrough();
    const requested = confirm({ lines: ['This ends it.'], what: 'end it', confirmed: false }, { input, output });
    input.end(answer);
    const outcome = await requested.then(
      () => true,
      ({ message }: Error) => message,
    );
    assert.is(outcome, goesOn || 'not confirmed; nothing was changed');
    output.end();
    assert.match(await text(output), /^This ends it\.\nContinue\? Type yes: /);
  });

test('deregister drains first, and does not begin if no agent could drain', async () => {
  await using away = await registered('DISCONNECTED');
  const refused = await run(away, 'cluster', 'deregister', 'east', '--yes');
  assert.is(refused.code, 1);
  assert.match(refused.stderr, 'or keep all objects with --mode orphan');
  assert.equal((await read(away, 'KubernetesCluster', 'east'))?.spec, { clusterDomain: 'east.example' });

  await using drained = await registered('DRAINED');
  const done = await run(drained, 'cluster', 'deregister', 'east', '--yes');
  assert.is(done.code, 0, done.stderr);
  assert.match(done.stdout, 'all generated objects are deleted');
  assert.is(await read(drained, 'KubernetesCluster', 'east'), undefined);

  await using stuck = await registered('DRAINING');
  const waited = await run(stuck, 'cluster', 'deregister', 'east', '--yes', '--timeout', '100ms');
  assert.is(waited.code, 1);
  assert.match(waited.stderr, 'draining continues');
  assert.ok(await read(stuck, 'KubernetesCluster', 'east'), 'still registered');
});

test('deregister revokes the identity in each mode: certificates and tokens become invalid', async () => {
  for (const [mode, state] of [
    ['drain', 'DRAINED'],
    ['orphan', 'DISCONNECTED'],
    ['force', 'DISCONNECTED'],
  ] as const) {
    await using management = await registered(state);
    const token = Token.read((await run(management, 'token', 'create', 'east')).stdout);
    const secrets = new Secrets(management.connection, NAMESPACE);
    const now = new Date();
    const facts = {
      serial: '01',
      keyHash: 'a'.repeat(64),
      notBefore: now,
      notAfter: new Date(now.getTime() + 86_400_000),
    };
    await secrets.create(
      CERTIFICATES_SECRET,
      writeCertificateBook(new CertificateRegistry().issue('east', facts, now)),
    );
    const { code, stdout } = await run(management, 'cluster', 'deregister', 'east', '--yes', '--mode', mode);
    assert.equal([code, stdout.includes('revoked its tokens and 1 valid certificate')], [0, true], stdout);
    const book = readCertificateBook((await secrets.read(CERTIFICATES_SECRET))?.data);
    assert.equal([book.verify('east', facts), book.isClusterRevoked('east')], ['revoked', true]);
    const tokens = readTokenBook((await secrets.read(TOKENS_SECRET))?.data ?? {});
    assert.ok(token);
    assert.is(tokens.use({ token, cluster: 'east', requestHash: 'x', now }).result, 'revoked');
  }
});

test('deregister names the objects that stay, with commands that name the context of the cluster', async () => {
  for (const [mode, state] of [
    ['drain', 'DRAINED'],
    ['orphan', 'DISCONNECTED'],
  ] as const) {
    await using management = await registered(state);
    const { stdout } = await run(management, 'cluster', 'deregister', 'east', '--yes', '--mode', mode);
    assert.is(
      stdout.slice(stdout.indexOf('these objects')),
      [
        'these objects stay in east:',
        ...(mode === 'orphan' ? ['  generated objects, which no controller manages any more'] : []),
        '  its agent, with its Secrets, permissions and CRDs',
        '  CAs of its meshes, if a root of the fleet signed them',
        'to delete them, with CONTEXT as the context of east, never that of the management cluster:',
        '  meshctl uninstall agent --context CONTEXT --purge    # lists what else is left, and how to delete it',
        '',
      ].join('\n'),
    );
  }
});

test('deregister of a cluster without an agent deletes its kubeconfig, unless another cluster uses it', async () => {
  for (const shared of [false, true]) {
    await using management = await registered('DRAINED');
    const clusters = management.connection.objects(meshrelayKind('KubernetesCluster'));
    await clusters.merge({ name: 'east', namespace: NAMESPACE }, { spec: { secretName: 'east-kubeconfig' } });
    const secrets = new Secrets(management.connection, NAMESPACE);
    await secrets.create('east-kubeconfig', { kubeconfig: 'x' });
    if (shared)
      await clusters.create({
        apiVersion: 'multicluster.meshrelay.dev/v1alpha1',
        kind: 'KubernetesCluster',
        metadata: { name: 'west', namespace: NAMESPACE },
        spec: { secretName: 'east-kubeconfig' },
      } as KubeObject);
    const { stdout } = await run(management, 'cluster', 'deregister', 'east', '--yes');
    assert.match(
      stdout,
      shared ? 'stays: west uses it, too' : 'Secret meshrelay/east-kubeconfig with its kubeconfig deleted',
    );
    assert.match(stdout, 'kubectl --context CONTEXT -n meshrelay delete serviceaccount meshrelay-direct');
    assert.not.match(stdout, 'its agent');
    assert.is((await secrets.read('east-kubeconfig')) !== undefined, shared);
  }
});

test('orphan and force leave the objects of the cluster, and say so', async () => {
  for (const mode of ['orphan', 'force']) {
    await using management = await registered('DISCONNECTED');
    const { code, stdout } = await run(management, 'cluster', 'deregister', 'east', '--yes', '--mode', mode);
    assert.is(code, 0);
    assert.match(stdout, '  generated objects, which no controller manages any more\n');
    assert.is(await read(management, 'KubernetesCluster', 'east'), undefined);
  }
});

test.run();
