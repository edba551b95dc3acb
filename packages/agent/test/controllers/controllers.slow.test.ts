/** The table of controllers: which replica runs each, and in which order. */

import envoy from '@meshrelay/plugin-envoy';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, eventually, test } from '@meshrelay/testing';
import { controllers } from '../../src/controllers/controllers.ts';
import { metric, readiness, register, startReplica } from '../harness/agents.ts';
import { issuedCertificate, labelledPod, output, TestCluster, workloadCertificate } from '../harness/cluster.ts';
import { startAgentProcess } from '../harness/process.ts';
import { TestAuthority, TestRelay } from '../harness/relay.ts';

/** Deadline for a busy machine. */
const BUSY = { deadline: 180_000 };

const named = (name: string): number => controllers.findIndex((controller) => controller.name === name);

test('each controller has a unique name and a replica that runs it', () => {
  assert.is(new Set(controllers.map(({ name }) => name)).size, controllers.length);
  assert.equal(
    controllers.filter(({ runsOn: who }) => who === 'everyReplica').map(({ name }) => name),
    ['health', 'stats', 'workload-ca', 'data-plane', 'peers'],
  );
  assert.equal(
    controllers.filter(({ runsOn: who }) => who === 'leader').map(({ name }) => name),
    [
      'envoy-roots',
      'output-ledger',
      'inventory',
      'certificates',
      'inputs',
      'outputs',
      'observe',
      'envoy-answers',
      'workload-roots',
      'identity',
      'relay',
    ],
  );
});

test('streams start last and so end first; the ledger outlives its writers', () => {
  assert.is(named('relay'), controllers.length - 1);
  for (const name of ['inputs', 'outputs', 'relay']) assert.ok(named('output-ledger') < named(name));
  assert.ok(named('inputs') < named('outputs'), 'the last write is done before its view ends');
});

/** External signs that a leader runs a controller, and that a follower does not. */
const signs: Readonly<Record<string, (agent: Parameters<typeof metric>[0]) => Promise<boolean>>> = {
  health: async (agent) => (await fetch(`http://127.0.0.1:${agent.healthPort}/healthz`)).ok,
  stats: async (agent) => (await fetch(`http://127.0.0.1:${agent.statsPort}/metrics`)).ok,
  'workload-ca': async (agent) => ((await metric(agent, 'workload_ca_expiry_timestamp_seconds')) ?? 0) > 0,
  'workload-roots': async (agent) => (await metric(agent, 'workload_roots_published')) === 1,
  'data-plane': async (agent) =>
    (await fetch(`http://127.0.0.1:${agent.dataPlanePort}/metrics`)).ok &&
    ((await metric(agent, 'data_plane_certificate_expiry_timestamp_seconds')) ?? 0) > 0,
  'envoy-roots': async (agent) => ((await metric(agent, 'envoy_roots_namespaces')) ?? 0) > 0,
  peers: async (agent) => (await metric(agent, 'peers_open')) === 1,
  observe: async (agent) => (await metric(agent, 'observability_active')) === 1,
  'envoy-answers': async (agent) => (await metric(agent, 'notes_envoy_answers')) === 1,
  'output-ledger': async (agent) => ((await metric(agent, 'term')) ?? 0) > 0,
  inventory: async (agent) => ((await metric(agent, 'inventory_outputs')) ?? 0) > 0,
  certificates: async (agent) => ((await metric(agent, 'mesh_certificate_expiry_timestamp_seconds')) ?? 0) > 0,
  inputs: async (agent) => ((await metric(agent, 'watched_objects')) ?? 0) > 0,
  outputs: async (agent) => ((await metric(agent, 'desired_outputs')) ?? 0) > 0,
  identity: async (agent) => ((await metric(agent, 'certificate_expiry_timestamp_seconds')) ?? 0) > 0,
  relay: async (agent) => (await metric(agent, 'relay_connected')) === 1,
};

test('a leader runs all of them, a follower those of every replica', async () => {
  await using cluster = await TestCluster.start({ objects: [labelledPod()] });
  const authority = await TestAuthority.create();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  relay.commit({ upserts: [output('VirtualService', 'reviews'), issuedCertificate(), workloadCertificate()] });
  await using leader = await startReplica(cluster, relay, { plugins: [testMesh, envoy] });
  await eventually('it leads', () => leader.term !== undefined, BUSY);
  await using follower = await startReplica(cluster, relay, { replica: 'agent-1', plugins: [testMesh, envoy] });
  await eventually('it follows', async () => (await readiness(follower)).ready, BUSY);
  for (const { name, runsOn: who } of controllers) {
    const sign = signs[name];
    if (sign === undefined) throw new Error(`controller ${name}: add a sign that it has run to this test`);
    await eventually(`the leader: ${name}`, () => sign(leader), BUSY);
    if (who === 'everyReplica') await eventually(`the follower: ${name}`, () => sign(follower));
    else assert.not.ok(await sign(follower), `the follower: ${name}`);
  }
});

test('when the leader is killed, another replica takes over all its controllers', async () => {
  await using cluster = await TestCluster.start({ objects: [labelledPod()] });
  const authority = await TestAuthority.create();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  relay.commit({ upserts: [output('VirtualService', 'reviews'), issuedCertificate(), workloadCertificate()] });
  await using killed = startAgentProcess(cluster, relay, 'agent-killed');
  await eventually('it leads and applies', () => cluster.get('VirtualService', 'reviews'), BUSY);
  await using other = await startReplica(cluster, relay, { replica: 'agent-1', plugins: [testMesh, envoy] });
  await eventually('the other follows', async () => (await readiness(other)).ready, BUSY);
  killed.kill('SIGKILL');
  for (const { name } of controllers)
    await eventually(name, () => (signs[name] as (agent: typeof other) => Promise<boolean>)(other), {
      ...BUSY,
    });
});

test.run();
