/**
 * Configuration over TLS from a running agent: each authenticated Envoy gets its own configuration, and none gets any
 * before all objects are known.
 */

import { once } from 'node:events';
import * as grpc from '@grpc/grpc-js';
import type { XdsConfig } from '@meshrelay/api';
import { create, discovery } from '@meshrelay/envoy-api';
import { aggregatedDiscoveryService } from '@meshrelay/envoy-api/services';
import { XDS_TYPES } from '@meshrelay/envoy-api/xds';
import plainEnvoy from '@meshrelay/plugin-envoy';
import { OWNER_LABEL, ROOTS_CONFIG_MAP } from '@meshrelay/relay-core';
import { labelledPod, NAMESPACE, TestCluster } from '@meshrelay/test-cluster';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, eventually, test } from '@meshrelay/testing';
import { metric, readiness, register, startReplica, type TestAgent } from '../harness/agents.ts';
import { TestAuthority, TestRelay } from '../harness/relay.ts';
import { tokenOf } from './support/pod-token.ts';

const WITHIN = { deadline: 120_000 };
const XDS = 'agent.meshrelay.dev/v1alpha1';

const serviceAccount = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'shop' },
});

/** A listener for one account of `shop`. */
function configOf(account: string, mark = '', labels: Record<string, string> = { [OWNER_LABEL]: NAMESPACE }) {
  const value = { name: account, stat_prefix: mark, address: { pipe: { path: '/x' } } };
  return {
    apiVersion: XDS,
    kind: 'XdsConfig',
    metadata: { name: `of-${account}`, namespace: NAMESPACE, labels },
    spec: {
      proxies: [{ namespace: 'shop', serviceAccount: account, listeners: [account], clusters: [] }],
      resources: [{ type: 'listener', name: account, value }],
    },
  };
}

async function running() {
  await using work = new AsyncDisposableStack();
  const cluster = work.use(
    await TestCluster.start({
      objects: [
        ...['reviews', 'bank'].map(serviceAccount),
        labelledPod(),
        configOf('reviews'),
        configOf('bank'),
        configOf('reviews-foreign', '', {}),
      ] as never,
    }),
  );
  const authority = await TestAuthority.create();
  const relay = work.use(await TestRelay.start(authority));
  register(cluster, relay, authority);
  const fields = { 'dataPlane.serverNames': 'agent.test,127.0.0.1' };
  const agent = work.use(await startReplica(cluster, relay, { plugins: [testMesh, plainEnvoy], fields }));
  const rootsOf = () => cluster.get('ConfigMap', ROOTS_CONFIG_MAP, 'shop', 'v1');
  const config = await eventually('the roots are in the namespace', rootsOf, WITHIN);
  await eventually(
    'it has a certificate',
    async () => (await metric(agent, 'data_plane_certificate_expiry_timestamp_seconds')) !== 0,
    WITHIN,
  );
  const roots = (config as unknown as { data: Record<string, string> }).data['ca.crt'] ?? '';
  const whole = work.move();
  return { cluster, relay, agent, roots, fields, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

function ask({ dataPlanePort }: TestAgent, roots: string, token: string) {
  const client = new grpc.Client(`127.0.0.1:${dataPlanePort}`, grpc.credentials.createSsl(Buffer.from(roots)), {
    'grpc.ssl_target_name_override': 'agent.test',
  });
  const { path, requestSerialize, responseDeserialize } = aggregatedDiscoveryService.deltaAggregatedResources;
  const metadata = new grpc.Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
  const failed = new Promise<number>((resolve) => call.on('error', ({ code }: grpc.ServiceError) => resolve(code)));
  call.write(
    create(discovery.DeltaDiscoveryRequestSchema, {
      node: { id: 'bank-1', cluster: 'bank' },
      typeUrl: XDS_TYPES.listener.typeUrl,
    }),
  );
  let nonce = '';
  const next = async (): Promise<string[]> => {
    const [answer] = (await once(call, 'data')) as [discovery.DeltaDiscoveryResponse];
    nonce = answer.nonce;
    return answer.resources.map(({ name }) => name);
  };
  /** Acknowledges the latest response. */
  const acknowledge = (): void =>
    void call.write(
      create(discovery.DeltaDiscoveryRequestSchema, { typeUrl: XDS_TYPES.listener.typeUrl, responseNonce: nonce }),
    );
  return {
    next,
    acknowledge,
    failed,
    [Symbol.dispose]() {
      call.cancel();
      client.close();
    },
  };
}

test('T25: a token for this audience that is bound to a pod gives its account its own configuration; any other token gives nothing', async () => {
  await using running_ = await running();
  const { cluster, agent, roots } = running_;
  const good = await tokenOf(cluster, 'reviews');
  {
    using envoy = ask(agent, roots, good);
    assert.equal(await envoy.next(), ['reviews']);
    const changed = envoy.next();
    cluster.sim.objects.update({
      ...(cluster.get('XdsConfig', 'of-reviews', NAMESPACE, XDS) as object),
      spec: configOf('reviews', 'edited').spec,
    } as never);
    assert.equal(await changed, ['reviews'], 'an edit arrives on the open stream');
  }
  const bad = {
    'of another audience': await tokenOf(cluster, 'reviews', { audience: 'others' }),
    'bound to no pod': await tokenOf(cluster, 'reviews', { pod: '' }),
    forged: `${good}x`,
  };
  for (const [what, token] of Object.entries(bad)) {
    using envoy = ask(agent, roots, token);
    assert.is(await envoy.failed, grpc.status.UNAUTHENTICATED, what);
  }
  cluster.sim.objects.delete({ apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'reviews-1' });
  cluster.sim.objects.create(labelledPod('reviews-2') as never);
  using other = ask(agent, roots, await tokenOf(cluster, 'reviews', { pod: 'reviews-2' }));
  assert.equal(await other.next(), ['reviews']);
});

test('configuration counts once the Envoy has acknowledged it: the leader records that on the object', async () => {
  await using running_ = await running();
  const { cluster, agent, roots } = running_;
  const object = () => cluster.get('XdsConfig', 'of-reviews', NAMESPACE, XDS) as unknown as XdsConfig;
  const noted = () => object().status?.acknowledgement;
  await eventually('without an Envoy no ACK is pending', () => noted()?.generation === 1, WITHIN);
  using envoy = ask(agent, roots, await tokenOf(cluster, 'reviews'));
  await envoy.next();
  envoy.acknowledge();
  const changed = envoy.next();
  cluster.sim.objects.update({ ...(object() as object), spec: configOf('reviews', 'edited').spec } as never);
  await changed;
  const late = () =>
    noted()
      ?.waiting.map(({ namespace, name }) => `${namespace}/${name}`)
      .join();
  await eventually('the Envoy that has not answered is named', () => late() === 'shop/bank', WITHIN);
  assert.is(noted()?.generation, 1);
  envoy.acknowledge();
  await eventually('it has answered', () => noted()?.generation === 2, WITHIN);
  assert.is(late(), '');
});

test('another replica shows a certificate of the same roots; a later leader creates no other CA', async () => {
  await using running_ = await running();
  const { cluster, relay, agent, roots, fields } = running_;
  await using follower = await startReplica(cluster, relay, {
    replica: 'agent-1',
    plugins: [testMesh, plainEnvoy],
    fields,
  });
  await eventually('it is ready', async () => (await readiness(follower)).ready, WITHIN);
  await eventually(
    'it has a certificate',
    async () => (await metric(follower, 'data_plane_certificate_expiry_timestamp_seconds')) !== 0,
    WITHIN,
  );
  const token = await tokenOf(cluster, 'reviews');
  using envoy = ask(follower, roots, token);
  assert.equal(await envoy.next(), ['reviews']);
  await agent[Symbol.asyncDispose]();
  await eventually('the other leads', () => follower.term !== undefined, WITHIN);
  await eventually('and gives roots', async () => (await metric(follower, 'envoy_roots_namespaces')) === 1, WITHIN);
  const { data } = cluster.get('ConfigMap', ROOTS_CONFIG_MAP, 'shop', 'v1') as unknown as { data: object };
  assert.equal(data, { 'ca.crt': roots });
});

test.run();
