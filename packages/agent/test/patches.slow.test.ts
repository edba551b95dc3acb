/** Fields of the user's own objects: changed only with consent, restored afterwards, and never anything else. */

import type { KubeObject, PatchedField } from '@meshrelay/api';
import istio from '@meshrelay/plugin-istio';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import { NAMESPACE, output, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { register, startReplica, type TestAgent } from './harness/agents.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();

const TEXT = `# team a: ask before you change it
trustDomain: one.example
defaultConfig:
  proxyMetadata: {A: "b"}  # keep
`;
const ALIASED = `${TEXT}trustDomainAliases: ["two.example"]\n`;

const config = (mesh = TEXT, name = 'istio') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'istio-system', labels: { unmanaged: 'yes' } },
  data: { mesh, meshNetworks: 'networks: {}' },
});

/** The patch in the form that the server generates. */
const patch = (include: readonly string[], name = 'istio'): KubeObject => ({
  apiVersion: 'agent.meshrelay.dev/v1alpha1',
  kind: 'ObjectPatch',
  metadata: { name: `configmap.${name}`, namespace: 'istio-system', labels: { [OWNER_LABEL]: NAMESPACE } },
  spec: {
    object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'istio-system', name },
    fieldPath: 'data.mesh:yaml/trustDomainAliases',
    include,
  } as never,
});

interface Scene extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly relay: TestRelay;
  readonly agent: TestAgent;
}

async function scene(objects: readonly object[] = [config()]): Promise<Scene> {
  await using cleanup = new AsyncDisposableStack();
  const cluster = cleanup.use(await TestCluster.start({ objects: objects as never }));
  const relay = cleanup.use(await TestRelay.start(authority));
  register(cluster, relay, authority);
  const agent = cleanup.use(await startReplica(cluster, relay, { plugins: [istio] }));
  const rest = cleanup.move();
  return { cluster, relay, agent, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

const found = (cluster: TestCluster) => cluster.get('ConfigMap', 'istio', 'istio-system', 'v1');
const text = (cluster: TestCluster): string | undefined => (found(cluster)?.['data'] as { mesh: string })?.mesh;
const records = (cluster: TestCluster): readonly PatchedField[] =>
  (cluster.ledger() as { patches?: readonly PatchedField[] } | undefined)?.patches ?? [];
const edit = (cluster: TestCluster, mesh: string): void => {
  cluster.sim.objects.update({ ...found(cluster), data: { mesh, meshNetworks: 'networks: {}' } } as never);
};
const settled = ({ relay, agent }: Pick<Scene, 'relay' | 'agent'>): Promise<unknown> =>
  eventually('the commit is applied', () => relay.applied === relay.outputs.vector, {
    seen: () => agent.log.lines.slice(-5),
  });
const refuses = ({ relay }: Scene, code: string): Promise<unknown> =>
  eventually(`${code} is reported`, () => relay.refused.some((one) => one.code === code), {
    seen: () => relay.refused,
  });
const reads = (cluster: TestCluster, mesh: string): Promise<unknown> =>
  eventually('the text is so', () => text(cluster) === mesh, { seen: () => [text(cluster), records(cluster)] });

test('only the field is set; without the patch the object is restored to the byte', async () => {
  await using run = await scene();
  const before = found(run.cluster);
  run.relay.commit({ upserts: [patch(['two.example'])] });
  await settled(run);
  assert.is(text(run.cluster), ALIASED);
  const patched = found(run.cluster);
  assert.equal(patched?.metadata.labels, { unmanaged: 'yes' }, 'no Meshrelay label');
  assert.is(patched?.metadata.annotations, undefined);
  assert.equal(
    records(run.cluster).map(({ fieldPath, added }) => [fieldPath, added]),
    [['data.mesh:yaml/trustDomainAliases', ['two.example']]],
  );
  run.relay.commit({ upserts: [patch(['two.example'])] });
  run.relay.commit({ upserts: [output('VirtualService', 'more')] });
  await settled(run);
  assert.is(found(run.cluster)?.metadata.resourceVersion, patched?.metadata.resourceVersion, 'it is written once');
  run.relay.commit({ deletes: [patch([])] });
  await settled(run);
  assert.equal(found(run.cluster)?.['data'], before?.['data']);
  assert.equal(records(run.cluster), []);
  assert.equal(run.relay.refused, []);
});

test('a field that already matches stays unchanged, and stays when the patch is removed', async () => {
  await using run = await scene([config(ALIASED)]);
  const version = found(run.cluster)?.metadata.resourceVersion;
  run.relay.commit({ upserts: [patch(['two.example'])] });
  await settled(run);
  run.relay.commit({ deletes: [patch([])] });
  await settled(run);
  assert.is(found(run.cluster)?.metadata.resourceVersion, version);
});

test('edits of the user to other fields stay, and the patch is repaired', async () => {
  await using run = await scene();
  run.relay.commit({ upserts: [patch(['two.example'])] });
  await settled(run);
  edit(run.cluster, `${TEXT}rootNamespace: theirs\n`);
  await reads(run.cluster, `${TEXT}rootNamespace: theirs\ntrustDomainAliases: ["two.example"]\n`);
  edit(run.cluster, `${TEXT}trustDomainAliases: ["two.example", "mine.example"]\n`);
  await eventually('seen', () => records(run.cluster).length === 1);
  run.relay.commit({ deletes: [patch([])] });
  await settled(run);
  assert.is(text(run.cluster), `${TEXT}trustDomainAliases: ["mine.example"]\n`);
});

test('a missing object is not created; when it appears, or reappears, it is patched', async () => {
  await using run = await scene([]);
  run.relay.commit({ upserts: [patch(['two.example']), output('VirtualService', 'other')] });
  await settled(run);
  await refuses(run, 'PATCH_TARGET_NOT_FOUND');
  assert.ok(run.cluster.get('VirtualService', 'other'), 'the rest continues');
  assert.is(found(run.cluster), undefined);
  run.cluster.sim.objects.create(config() as never);
  await reads(run.cluster, ALIASED);
  await eventually('the server is asked to compare', () => run.relay.resyncs.length > 0);
  run.cluster.delete('ConfigMap', 'istio', 'istio-system', 'v1');
  run.cluster.sim.objects.create(config('trustDomain: other\n') as never);
  await reads(run.cluster, 'trustDomain: other\ntrustDomainAliases: ["two.example"]\n');
  run.relay.commit({ deletes: [patch([])] });
  await settled(run);
  assert.is(text(run.cluster), 'trustDomain: other\n');
});

test('a text that cannot be parsed is reported and left unchanged, until it is fixed', async () => {
  await using run = await scene([config('a: [')]);
  run.relay.commit({ upserts: [patch(['two.example'])] });
  await settled(run);
  await refuses(run, 'PATCH_TYPE_MISMATCH');
  assert.is(text(run.cluster), 'a: [');
  edit(run.cluster, TEXT);
  await reads(run.cluster, ALIASED);
});

test('the next agent finishes what a killed one had started, in either direction', async () => {
  for (const [landed, required] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    await using cluster = await TestCluster.start({ objects: [config(landed ? ALIASED : TEXT)] as never });
    await using relay = await TestRelay.start(authority);
    register(cluster, relay, authority);
    const { name, namespace, uid = '' } = found(cluster)?.metadata ?? { name: '', namespace: '' };
    const record = {
      patch: 'configmap.istio',
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace,
      name,
      uid,
      fieldPath: 'data.mesh:yaml/trustDomainAliases',
      depth: 0,
      added: ['two.example'],
    };
    cluster.sim.objects.create({
      apiVersion: 'admin.meshrelay.dev/v1alpha1',
      kind: 'OutputLedger',
      metadata: { name: 'agent', namespace: NAMESPACE },
      spec: { term: 4, patches: [record] },
    } as never);
    if (required) relay.commit({ upserts: [patch(['two.example'])] });
    else relay.commit({ upserts: [output('VirtualService', 'other')] });
    await using agent = await startReplica(cluster, relay, { plugins: [istio] });
    await settled({ relay, agent });
    assert.is(text(cluster), required ? ALIASED : TEXT, `landed ${landed}, wanted ${required}`);
    assert.is(records(cluster).length, required ? 1 : 0);
  }
});

test('while not all desired outputs are known, nothing is restored', async () => {
  await using run = await scene();
  run.relay.commit({ upserts: [patch(['two.example'])] });
  await settled(run);
  await run.agent[Symbol.asyncDispose]();
  await using second = await TestRelay.start(authority);
  second.commit({ upserts: [output('VirtualService', 'other')], complete: false, vector: run.relay.vector() });
  await using agent = await startReplica(run.cluster, second, { replica: 'agent-1', plugins: [istio] });
  await settled({ relay: second, agent });
  assert.is(text(run.cluster), ALIASED);
  second.commit({ vector: new Map([['cluster-1', { term: 1, seq: 99 }]]) });
  await reads(run.cluster, TEXT);
});

test('many revisions are patched separately, and fields of no plugin are rejected', async () => {
  await using run = await scene([config(), config(TEXT, 'istio-canary')]);
  const stray = patch(['x'], 'coredns');
  run.relay.commit({ upserts: [patch(['two.example']), patch(['three.example'], 'istio-canary'), stray] });
  await settled(run);
  assert.is(text(run.cluster), ALIASED);
  const canary = run.cluster.get('ConfigMap', 'istio-canary', 'istio-system', 'v1')?.['data'] as { mesh: string };
  assert.is(canary.mesh, `${TEXT}trustDomainAliases: ["three.example"]\n`);
  await refuses(run, 'NOT_ALLOWED');
  assert.equal(
    run.relay.refused.map(({ key }) => key.name),
    ['configmap.coredns'],
  );
});

test.run();
