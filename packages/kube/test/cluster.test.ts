/**
 * The package against an API server: TLS, server-side apply, preconditions, watches, CRDs that are created and deleted.
 */
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { type KubeSim, startKubeSim } from '@meshrelay/kube-sim';
import type { ResourceKind } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import {
  connect,
  isKubeError,
  type KubeConnection,
  OutputLedgerTerm,
  recheckOnCrds,
  StatusWriter,
  watchKind,
} from '../src/mod.ts';
import { RecordingSink } from './recording-sink.ts';

const configMaps: ResourceKind = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
const widgets: ResourceKind = { group: 'ex.io', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };

function crd({ group, kind, plural, version }: ResourceKind): KubeObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    size: { type: 'integer' },
                    color: { type: 'string' },
                  },
                },
                status: open,
              },
            },
          },
        },
      ],
    },
  };
}

const widget = (name: string, spec: object): KubeObject => ({
  apiVersion: 'ex.io/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec,
});
const key = (name: string) => ({ namespace: 'default', name });

async function cluster(
  kinds: readonly ResourceKind[] = [],
  crds: readonly string[] = [],
): Promise<AsyncDisposable & { sim: KubeSim; connection: KubeConnection }> {
  const sim = await startKubeSim({ crds, objects: kinds.map(crd) as never });
  const connection = connect({ text: sim.kubeconfig });
  return {
    sim,
    connection,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      await sim[Symbol.asyncDispose]();
    },
  };
}

test('apply owns its fields, meets conflicts, removes omitted fields, and writes nothing twice', async () => {
  await using run = await cluster([widgets]);
  const client = run.connection.objects(widgets);
  const made = await client.apply(widget('a', { size: 1, color: 'red' }));
  const again = await client.apply(widget('a', { size: 1, color: 'red' }));
  assert.is(again.metadata.resourceVersion, made.metadata.resourceVersion);
  await client.merge(key('a'), { spec: { size: 5 } });
  await client.apply(widget('a', { size: 7 }), { fieldManager: 'someone', force: true });
  const clash = await client.apply(widget('a', { size: 1, color: 'red' })).catch((error: unknown) => error);
  assert.ok(isKubeError(clash, 'RELAY_E_KUBE_FIELD_CONFLICT'), String(clash));
  assert.match(clash.message, '.spec.size');
  assert.is(clash.causes[0]?.reason, 'FieldManagerConflict');
  const left = await client.apply(widget('a', {}), { force: true });
  assert.equal(left.spec, { size: 7 });
});

test('writes for another version or incarnation are rejected', async () => {
  await using run = await cluster([widgets]);
  const client = run.connection.objects(widgets);
  const first = await client.apply(widget('a', { size: 1 }));
  const { uid, resourceVersion } = first.metadata;
  await client.apply(widget('a', { size: 2 }), { expected: { uid, resourceVersion } });
  for (const expected of [{ resourceVersion }, { uid: '00000000-0000-0000-0000-000000000000' }]) {
    const apply = await client.apply(widget('a', { size: 3 }), { expected }).catch((error: unknown) => error);
    assert.ok(isKubeError(apply, 'RELAY_E_KUBE_CONFLICT'), String(apply));
    const remove = await client.delete(key('a'), { expected }).catch((error: unknown) => error);
    assert.ok(isKubeError(remove, 'RELAY_E_KUBE_CONFLICT'), String(remove));
  }
  assert.equal((await client.read(key('a')))?.spec, { size: 2 });
  assert.is(await client.delete(key('a'), { expected: { uid } }), 'deleted');
  assert.is(await client.delete(key('a')), 'absent');
  const revived = await client.apply(widget('a', { size: 3 }), { expected: { uid } }).catch((error: unknown) => error);
  assert.ok(isKubeError(revived, 'RELAY_E_KUBE_CONFLICT'), String(revived));
  assert.is(await client.read(key('a')), undefined);
});

test('unknown fields, double creation and unknown kinds are rejected with a message', async () => {
  await using run = await cluster([widgets]);
  const client = run.connection.objects(widgets);
  const unknown = await client.apply(widget('a', { sise: 1 })).catch((error: unknown) => error);
  assert.ok(isKubeError(unknown, 'RELAY_E_KUBE_INVALID'), String(unknown));
  assert.match(unknown.message, 'sise');
  const wrong = await client.create(widget('a', { size: 'big' })).catch((error: unknown) => error);
  assert.ok(isKubeError(wrong, 'RELAY_E_KUBE_INVALID'), String(wrong));
  await client.create(widget('a', {}));
  const twice = await client.create(widget('a', {})).catch((error: unknown) => error);
  assert.ok(isKubeError(twice, 'RELAY_E_KUBE_EXISTS'), String(twice));
  const nowhere = run.connection.objects({ ...widgets, group: 'no.io' });
  const absent = await nowhere.create({ ...widget('a', {}), apiVersion: 'no.io/v1' }).catch((error: unknown) => error);
  assert.ok(isKubeError(absent, 'RELAY_E_KUBE_NOT_FOUND'), String(absent));
});

test('a dry run is validated and not stored', async () => {
  await using run = await cluster([widgets]);
  const client = run.connection.objects(widgets);
  assert.equal((await client.apply(widget('a', { size: 1 }), { dryRun: true })).spec, { size: 1 });
  assert.is(await client.read(key('a')), undefined);
});

test('a wrong token is forbidden; a wrong certificate authority means no answer', async () => {
  await using run = await cluster();
  const wrongToken = connect({ text: run.sim.kubeconfig.replace(run.sim.token, 'wrong') });
  const denied = await wrongToken
    .objects(configMaps)
    .list()
    .catch((error: unknown) => error);
  assert.ok(isKubeError(denied, 'RELAY_E_KUBE_FORBIDDEN'), String(denied));
  await using other = await startKubeSim();
  const impostor = connect({ text: run.sim.kubeconfig.replace(run.sim.url, other.url) });
  const refused = await impostor
    .objects(configMaps)
    .list()
    .catch((error: unknown) => error);
  assert.ok(isKubeError(refused, 'RELAY_E_KUBE_UNAVAILABLE'), String(refused));
  assert.match(refused.message, /certificate|verify|signature|issuer/i);
  await Promise.all([wrongToken[Symbol.asyncDispose](), impostor[Symbol.asyncDispose]()]);
});

test('a watch follows creations, changes, deletions and recreations', async () => {
  await using run = await cluster([widgets]);
  const { objects } = run.sim;
  const client = run.connection.objects(widgets);
  for (let i = 0; i < 1_200; i++) objects.create(widget(`w${i}`, { size: i }) as never);
  const sink = new RecordingSink();
  await using watch = watchKind(run.connection, widgets, sink);
  await watch.synced;
  assert.is(sink.objects.size, 1_200);
  assert.is(sink.ticks.length, 1);
  await client.apply(widget('w0', { size: -1 }), { force: true });
  await client.delete(key('w1'));
  await client.delete(key('w2'));
  const back = await client.create(widget('w2', { size: 2 }));
  await eventually('the changes', () => sink.objects.get('default/w2')?.metadata.uid === back.metadata.uid, {
    seen: () => sink.ticks.slice(1),
  });
  await eventually('all of them', () => sink.objects.size === 1_199);
  assert.equal(sink.objects.get('default/w0')?.spec, { size: -1 });
  assert.not('managedFields' in (sink.objects.get('default/w0')?.metadata ?? {}));
  assert.is(watch.versionOf(key('w2'))?.resourceVersion, back.metadata.resourceVersion);
});

test('a kind without a CRD is complete and empty; it appears and disappears with its CRD', async () => {
  await using run = await cluster();
  const sink = new RecordingSink();
  await using watch = watchKind(run.connection, widgets, sink);
  await using crds = recheckOnCrds(run.connection, () => [watch]);
  await Promise.all([watch.synced, crds.synced]);
  assert.is(watch.state.phase, 'absent');
  run.sim.objects.create(crd(widgets) as never);
  await eventually('the kind to be watched', () => watch.state.phase === 'watching', { seen: () => watch.state });
  await run.connection.objects(widgets).create(widget('a', { size: 1 }));
  await eventually('the object', () => sink.objects.size === 1);
  run.sim.objects.delete({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name: 'widgets.ex.io',
  });
  await eventually('the kind to be gone', () => watch.state.phase === 'absent', { seen: () => watch.state });
  assert.is(sink.objects.size, 0);
});

test('after a restart of the API server the watch resumes, and nothing was removed meanwhile', async () => {
  const first = await startKubeSim({ objects: [crd(widgets), widget('a', { size: 1 })] as never });
  const port = Number(new URL(first.url).port);
  const insecure = first.kubeconfig.replace(/certificate-authority-data: .*/, 'insecure-skip-tls-verify: true');
  await using connection = connect({ text: insecure });
  const sink = new RecordingSink();
  await using watch = watchKind(connection, widgets, sink);
  await watch.synced;
  await first[Symbol.asyncDispose]();
  await eventually('the loss to be noticed', () => watch.state.phase === 'retrying');
  assert.is(sink.objects.size, 1);
  await using _again = await startKubeSim({
    listen: { port },
    objects: [crd(widgets), widget('a', { size: 1 })] as never,
    tokens: { [first.token]: { name: 'admin', groups: ['system:masters'] } },
  });
  await eventually(
    'the watch to continue',
    () => {
      watch.recheck();
      return watch.state.phase === 'watching';
    },
    { seen: () => watch.state },
  );
  assert.equal([...sink.objects.keys()], ['default/a']);
});

test('statuses are written to the status subresource, and each replica raises its own term', async () => {
  const ledger = join(import.meta.dirname, '../../api/crds/outputledgers.admin.meshrelay.dev.yaml');
  await using run = await cluster([widgets], [ledger]);
  const client = run.connection.objects(widgets);
  await client.create(widget('a', { size: 1 }));
  await using writer = new StatusWriter({ connection: run.connection, fieldManager: 'meshrelay-server' });
  writer.set(widgets, key('a'), { state: 'ACCEPTED', extra: 1 });
  await writer.idle();
  writer.set(widgets, key('a'), { state: 'PENDING' });
  await writer.idle();
  const { spec, status } = (await client.read(key('a'))) as KubeObject;
  assert.equal([spec, status], [{ size: 1 }, { state: 'PENDING' }]);

  const raise = (holder: string) =>
    new OutputLedgerTerm({ connection: run.connection, namespace: 'default', holder }).raise();
  assert.equal((await Promise.all([raise('a'), raise('b'), raise('c')])).sort(), [1, 2, 3]);
});

test.run();
