/** The parts of an agent: which replica runs each. */

import envoy from '@meshrelay/plugin-envoy';
import { issuedCertificate, labelledPod, output, TestCluster, workloadCertificate } from '@meshrelay/test-cluster';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, eventually, test } from '@meshrelay/testing';
import { metric, readiness, register, startReplica } from '../harness/agents.ts';
import { startAgentProcess } from '../harness/process.ts';
import { TestAuthority, TestRelay } from '../harness/relay.ts';

/** Deadline for a busy machine. */
const BUSY = { deadline: 180_000 };

type Agent = Parameters<typeof metric>[0];

/** External signs that a replica runs a part. */
type Signs = Readonly<Record<string, (agent: Agent) => Promise<boolean>>>;

const everyReplica: Signs = {
  health: async (agent) => (await fetch(`http://127.0.0.1:${agent.healthPort}/healthz`)).ok,
  stats: async (agent) => (await fetch(`http://127.0.0.1:${agent.statsPort}/metrics`)).ok,
  'workload-ca': async (agent) => ((await metric(agent, 'workload_ca_expiry_timestamp_seconds')) ?? 0) > 0,
  'data-plane': async (agent) =>
    (await fetch(`http://127.0.0.1:${agent.dataPlanePort}/metrics`)).ok &&
    ((await metric(agent, 'data_plane_certificate_expiry_timestamp_seconds')) ?? 0) > 0,
  peers: async (agent) => (await metric(agent, 'peers_open')) === 1,
};

const leaderOnly: Signs = {
  'output-ledger': async (agent) => ((await metric(agent, 'term')) ?? 0) > 0,
  inventory: async (agent) => ((await metric(agent, 'inventory_outputs')) ?? 0) > 0,
  certificates: async (agent) => ((await metric(agent, 'mesh_certificate_expiry_timestamp_seconds')) ?? 0) > 0,
  inputs: async (agent) => ((await metric(agent, 'watched_objects')) ?? 0) > 0,
  outputs: async (agent) => ((await metric(agent, 'desired_outputs')) ?? 0) > 0,
  'envoy-roots': async (agent) => ((await metric(agent, 'envoy_roots_namespaces')) ?? 0) > 0,
  observe: async (agent) => (await metric(agent, 'observability_active')) === 1,
  'envoy-answers': async (agent) => (await metric(agent, 'notes_envoy_answers')) === 1,
  'workload-roots': async (agent) => (await metric(agent, 'workload_roots_published')) === 1,
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
  for (const [name, sign] of Object.entries(everyReplica)) {
    await eventually(`the leader: ${name}`, () => sign(leader), BUSY);
    await eventually(`the follower: ${name}`, () => sign(follower));
  }
  for (const [name, sign] of Object.entries(leaderOnly)) {
    await eventually(`the leader: ${name}`, () => sign(leader), BUSY);
    assert.not.ok(await sign(follower), `the follower: ${name}`);
  }
});

test('when the leader is killed, another replica takes over all its parts', async () => {
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
  for (const [name, sign] of Object.entries({ ...everyReplica, ...leaderOnly }))
    await eventually(name, () => sign(other), BUSY);
});

test.run();
