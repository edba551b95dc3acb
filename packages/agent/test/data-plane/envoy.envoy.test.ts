/**
 * A real Envoy, started with the output of `meshctl envoy bootstrap`, and a whole agent: configuration, edits,
 * absences, logs.
 */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { XdsConfig } from '@meshrelay/api';
import envoy from '@meshrelay/plugin-envoy';
import { bootstrap } from '@meshrelay/plugin-envoy/bootstrap';
import { ROOTS_CONFIG_MAP } from '@meshrelay/relay-core';
import { labelledPod, NAMESPACE, TestCluster } from '@meshrelay/test-cluster';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { type Envoy, type EnvoyProgram, envoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import { metric, register, startReplica } from '../harness/agents.ts';
import { constantRequests } from '../harness/constant-requests.ts';
import { TestAuthority, TestRelay } from '../harness/relay.ts';
import { tokenOf } from './support/pod-token.ts';
import { type ShopConfig, shopConfig, XDS } from './support/shop-config.ts';

const WITHIN = { deadline: 180_000 };
const program = await envoyProgram();

/** A cluster with an agent, an application, and the bootstrap of its account's Envoy. */
async function shop(account = 'reviews') {
  await using work = new AsyncDisposableStack();
  const folder = work.use(temporaryFolder());
  const pod = { ...labelledPod(), status: { phase: 'Running', podIP: '127.0.0.1' } };
  const cluster = work.use(
    await TestCluster.start({
      objects: [
        ...['reviews', 'bank'].map((name) => ({
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name, namespace: 'shop' },
        })),
        pod,
        { ...labelledPod('bank-1', 'shop', 'bank') },
      ] as never,
    }),
  );
  const authority = await TestAuthority.create();
  const relay = work.use(await TestRelay.start(authority));
  register(cluster, relay, authority);
  const application = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  work.defer(() => void application.close());
  const begin = (port: number) =>
    startReplica(cluster, relay, {
      plugins: [testMesh, envoy],
      fields: { 'dataPlane.listen': `127.0.0.1:${port}`, 'dataPlane.serverNames': 'localhost' },
    });
  let agent = await begin(0);
  work.defer(() => agent[Symbol.asyncDispose]());
  const port = agent.dataPlanePort;
  const first: ShopConfig = {
    account: 'reviews',
    port: (application.address() as AddressInfo).port,
    logTo: port,
    mark: '1',
  };
  cluster.sim.objects.create(shopConfig(first) as never);
  cluster.sim.objects.create(shopConfig({ ...first, account: 'bank', logTo: 0 }) as never);
  const roots = await eventually(
    'the roots',
    () => cluster.get('ConfigMap', ROOTS_CONFIG_MAP, 'shop', 'v1') as unknown as { data: Record<string, string> },
    WITHIN,
  );
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };
  const rootsFile = file('ca.crt', roots.data['ca.crt'] ?? '');
  const tokenFile = file('token', await tokenOf(cluster, account, { pod: `${account}-1` }));
  const whole = work.move();
  return {
    cluster,
    /** Bootstrap of an Envoy that claims to be this workload. */
    bootstrap: (workload = account) =>
      bootstrap({ workload, namespace: 'shop', agent: `localhost:${port}`, tokenFile, rootsFile }),
    tokenFile,
    agent: () => agent,
    edit: (change: Partial<ShopConfig>) => {
      const before = cluster.get('XdsConfig', 'of-reviews', NAMESPACE, XDS) as object;
      cluster.sim.objects.update({ ...before, spec: shopConfig({ ...first, ...change }).spec } as never);
    },
    stop: () => agent[Symbol.asyncDispose](),
    begin: async () => {
      agent = await begin(port);
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

interface Answer {
  readonly status: number;
  readonly mark: string | null;
}

async function answers(envoy: Envoy, listener = 'reviews'): Promise<(path?: string) => Promise<Answer>> {
  const port = await eventually('it listens', () => envoy.admin.port(listener).catch(() => undefined), WITHIN);
  const ask = async (path = '/') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.text();
    return { status: response.status, mark: response.headers.get('x-mark') };
  };
  // The port is known before workers listen on it.
  await eventually('it answers', () => ask('/first').catch(() => undefined), WITHIN);
  return ask;
}

const live = { until: 'live' } as const;

function suite(envoyFrom: EnvoyProgram): void {
  test('it is configured over ADS, applies an edit live, and keeps serving while the agent is away', async () => {
    await using running = await shop();
    await using envoy = await startEnvoy(envoyFrom, running.bootstrap() as Record<string, unknown>, live);
    const ask = await answers(envoy);
    assert.equal(await ask(), { status: 200, mark: '1' });
    running.edit({ mark: '2' });
    await eventually('the edit is live', async () => (await ask()).mark === '2', WITHIN);

    await using load = constantRequests(ask);
    await running.stop();
    const away = load.answers.length;
    await eventually('it serves on', () => load.answers.length > away + 20, WITHIN);
    await running.begin();
    running.edit({ mark: '3' });
    await eventually('what changed meanwhile arrives', async () => (await ask()).mark === '3', WITHIN);
    const statuses = (await load.end()).map((answer) => (answer instanceof Error ? String(answer) : answer.status));
    assert.equal([...new Set(statuses)], [200]);
    assert.is(await envoy.admin.stat('listener_manager.listener_removed'), 0);
  });

  test('a rejection shows on the object with the message of Envoy, and the previous configuration stays; a valid edit clears it', async () => {
    await using running = await shop();
    await using envoy = await startEnvoy(envoyFrom, running.bootstrap() as Record<string, unknown>, live);
    const ask = await answers(envoy);
    const refused = () => {
      const object = running.cluster.get('XdsConfig', 'of-reviews', NAMESPACE, XDS) as unknown as XdsConfig;
      return Object.values(object.status?.nacked ?? {}).flatMap(({ resources }) => resources);
    };
    running.edit({ mark: '2', broken: true });
    const [sent] = await eventually('it is noted', () => (refused().length > 0 ? refused() : undefined), WITHIN);
    assert.is(sent?.type, 'cluster');
    assert.is(sent?.name, 'reviews');
    assert.is(sent?.by, 'shop/reviews');
    assert.match(sent?.message ?? '', 'malformed IP address: no-address');
    await eventually('the rest of the edit is live', async () => (await ask()).mark === '2', WITHIN);
    assert.is((await ask()).status, 200);
    assert.is(await metric(running.agent(), 'xds_nacked_resources'), 1);
    running.edit({ mark: '3' });
    await eventually('it is healed', () => refused().length === 0, WITHIN);
    assert.equal(await ask(), { status: 200, mark: '3' });
  });

  test('a frozen Envoy with an open stream is reported as late, and an edit counts as acknowledged once it resumes', async () => {
    await using running = await shop();
    await using envoy = await startEnvoy(envoyFrom, running.bootstrap() as Record<string, unknown>, live);
    const ask = await answers(envoy);
    const object = () => running.cluster.get('XdsConfig', 'of-reviews', NAMESPACE, XDS) as unknown as XdsConfig;
    const isAcknowledged = () => object().status?.acknowledgement?.generation === object().metadata.generation;
    await eventually('what is there is acknowledged', isAcknowledged, { ...WITHIN, seen: object });
    envoy.signal('SIGSTOP');
    try {
      running.edit({ mark: '2' });
      await eventually('it is named', () => object().status?.acknowledgement?.waiting.length === 1, {
        ...WITHIN,
        seen: object,
      });
      const { acknowledgement } = object().status ?? {};
      assert.equal(acknowledgement?.waiting, [{ namespace: 'shop', name: 'reviews', count: 1 }]);
      assert.not.ok(isAcknowledged());
    } finally {
      envoy.signal('SIGCONT');
    }
    await eventually('it is acknowledged', isAcknowledged, { ...WITHIN, seen: object });
    assert.equal(object().status?.acknowledgement?.waiting, []);
    assert.is((await ask()).mark, '2');
  });

  test('its access logs arrive with workload and cluster, whatever it claims to be', async () => {
    await using running = await shop();
    await using envoy = await startEnvoy(envoyFrom, running.bootstrap('the-bank') as Record<string, unknown>, live);
    const ask = await answers(envoy);
    for (let at = 0; at < 20; at += 1) await ask(`/logged/${at}`);
    const page = async () => {
      const response = await fetch(`http://127.0.0.1:${running.agent().dataPlanePort}/metrics`);
      return response.text();
    };
    const counted = await eventually(
      'all are counted on the edge of the workload',
      async () =>
        (await page())
          .split('\n')
          .find((line) => line.startsWith('meshrelay_edge_requests_total') && line.endsWith('} 21')),
      WITHIN,
    );
    assert.match(
      counted,
      'destination_workload="reviews-1",destination_namespace="shop",destination_cluster="cluster-1"',
    );
    assert.is(await metric(running.agent(), 'access_log_streams'), 1);
  });

  test('T25: an Envoy with the token of another account gets only the configuration of that account; without a valid token it gets nothing', async () => {
    await using running = await shop('bank');
    await using envoy = await startEnvoy(envoyFrom, running.bootstrap('reviews') as Record<string, unknown>, live);
    await answers(envoy, 'bank');
    assert.is(await envoy.admin.port('reviews'), undefined);
    const dump = await envoy.admin.text('/config_dump');
    assert.not.match(dump, '"route_config_name": "reviews"');

    writeFileSync(running.tokenFile, await tokenOf(running.cluster, 'bank', { pod: 'bank-1', audience: 'others' }));
    await using other = await startEnvoy(envoyFrom, running.bootstrap() as Record<string, unknown>, live);
    await eventually(
      'it tried',
      async () => (await other.admin.stat('control_plane.connected_state')) === 0 && (await rejections(other)) > 0,
      WITHIN,
    );
    assert.is(await other.admin.port('bank'), undefined);
  });
}

/** How often its configuration stream was ended. */
function rejections(envoy: Envoy): Promise<number> {
  return envoy.admin.stat('cluster_manager.cds.update_failure');
}

if (program !== undefined) suite(program);
test.run();
