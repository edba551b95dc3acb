/**
 * The roots in the namespaces that need them: created, repaired, deleted, and never written over another owner's
 * ConfigMap.
 */

import type { KubeObject } from '@meshrelay/api';
import { FencedError, rightsCommand } from '@meshrelay/cluster-controllers';
import { systemClock } from '@meshrelay/concurrency';
import { OWNER_LABEL, ROOTS_CONFIG_MAP } from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { NAMESPACE, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { RootConfigMaps } from '../../../src/data-plane/roots/root-config-maps.ts';
import { LogBook } from '../../harness/agents.ts';

const WITHIN = { deadline: 60_000 };

async function keeping() {
  const cluster = await TestCluster.start();
  const log = new LogBook();
  const required = new Set<string>();
  const state = { known: true, fenced: false };
  const maps = new RootConfigMaps({
    connection: cluster.connection,
    owner: NAMESPACE,
    required: () => required,
    known: () => state.known,
    check: () => {
      if (state.fenced) throw new FencedError('another leads');
    },
    rightsCommand: rightsCommand(NAMESPACE),
    clock: systemClock,
    random: Math.random,
    logger: createLogger({ name: 'test', level: 'debug', destination: log }),
  });
  maps.roots = 'ROOTS';
  const there = (namespace: string) =>
    cluster.get('ConfigMap', ROOTS_CONFIG_MAP, namespace, 'v1') as (KubeObject & { data?: object }) | undefined;
  return {
    cluster,
    log,
    required,
    state,
    maps,
    there,
    async [Symbol.asyncDispose]() {
      await maps[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

const configMap = (namespace: string, data: Record<string, string>, labels = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: ROOTS_CONFIG_MAP, namespace, labels },
  data,
});

test('a namespace gets them, they follow the roots, and changes by other writers are repaired', async () => {
  await using retained = await keeping();
  const { cluster, maps, required, there } = retained;
  required.add('shop');
  maps.reconcile();
  await eventually('it is there', () => there('shop') !== undefined, WITHIN);
  assert.equal(there('shop')?.data, { 'ca.crt': 'ROOTS' });
  assert.is(there('shop')?.metadata.labels?.[OWNER_LABEL], NAMESPACE);
  maps.roots = 'OTHERS';
  await eventually('others', () => JSON.stringify(there('shop')?.data) === '{"ca.crt":"OTHERS"}', WITHIN);
  cluster.sim.objects.update({ ...(there('shop') as object), data: { 'ca.crt': 'EVIL' } } as never);
  await eventually('repaired', () => JSON.stringify(there('shop')?.data) === '{"ca.crt":"OTHERS"}', WITHIN);
});

test('it is deleted when no Envoy needs it any more, and not before that is known', async () => {
  await using retained = await keeping();
  const { maps, required, state, there } = retained;
  required.add('shop').add('istio-system');
  maps.reconcile();
  await eventually('they are there', () => there('shop') && there('istio-system'), WITHIN);
  state.known = false;
  required.delete('shop');
  maps.roots = 'OTHERS';
  await eventually('it worked on', () => JSON.stringify(there('istio-system')?.data).includes('OTHERS'), WITHIN);
  assert.ok(there('shop'), 'who is needed is not known');
  state.known = true;
  maps.reconcile();
  await eventually('it went', () => there('shop') === undefined, WITHIN);
  assert.ok(there('istio-system'));
});

test('a ConfigMap of that name of another owner stays unchanged, and is reported once', async () => {
  await using retained = await keeping();
  const { cluster, log, maps, required, there } = retained;
  cluster.sim.objects.create(configMap('shop', { unmanaged: 'x' }) as never);
  required.add('shop').add('istio-system');
  maps.reconcile();
  await eventually('the other is made', () => there('istio-system') !== undefined, WITHIN);
  required.delete('shop');
  maps.roots = 'OTHERS';
  await eventually('the other follows', () => JSON.stringify(there('istio-system')?.data).includes('OTHERS'), WITHIN);
  assert.equal(there('shop')?.data, { unmanaged: 'x' });
  assert.is(
    log.of('a ConfigMap with the name of the roots for Envoys was not created by Meshrelay; rename it').length,
    1,
  );
  assert.is(maps.size, 1);
});

test('a replica that no longer leads writes nothing', async () => {
  await using retained = await keeping();
  const { maps, required, state, there } = retained;
  state.fenced = true;
  required.add('shop');
  maps.reconcile();
  await maps[Symbol.asyncDispose]();
  assert.is(there('shop'), undefined);
});

test.run();
