/** Mass deletions: those that users request proceed at once, all others wait. */

import type { KubeObject } from '@meshrelay/api';
import { deleteObject, key, MANAGEMENT_CLUSTER, OWNER_LABEL, setObject, setUnreadable } from '@meshrelay/relay-core';
import { isRetained, type ObjectEnvelope } from '@meshrelay/relay-protocol';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, test } from '@meshrelay/testing';
import { ClusterOutputs } from '../../src/output/cluster-outputs.ts';
import { approvedText, DeletionGuard } from '../../src/output/deletion-guard.ts';
import { InputVectors } from '../../src/output/input-vectors.ts';
import { OutputTables } from '../../src/output/output-tables.ts';
import type { SafeMode } from '../../src/output/safe-mode.ts';
import type { Fleet } from '../../src/store/fleet.ts';
import { EDIT, type InputCause, OBSERVED } from '../../src/store/input-cause.ts';
import { destination, mesh, workload } from '../support/discovered.ts';
import { batch, DESTINATION, declare, fleetOf, MESH } from '../support/fleet.ts';

const PRESENT = { group: 'networking.istio.io', version: 'v1', kind: 'VirtualService' };
const WORKLOAD = { ...MESH, kind: 'Workload' };
const KINDS = [MESH, DESTINATION, WORKLOAD, PRESENT];

/** A timeout for every service. */
const POLICY: KubeObject = {
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'TrafficPolicy',
  metadata: { name: 'slow', namespace: 'meshrelay' },
  spec: { policy: { requestTimeout: '2s' } },
};
const POLICY_NAME = { group: 'networking.meshrelay.dev', kind: 'TrafficPolicy', namespace: 'meshrelay', name: 'slow' };

const services = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index}`);

async function push(fleet: Fleet, cluster: string, names: readonly string[], term = 1, seq = 1): Promise<void> {
  await fleet.open(cluster, term, KINDS);
  const compared = { term, followed: false };
  await fleet.accept(batch(cluster, seq, [mesh(cluster)], { ...compared, inStep: false }));
  const destinations = names.map((name) => destination(cluster, name, 1));
  await fleet.accept(batch(cluster, seq + 1, destinations, { ...compared, kind: DESTINATION, inStep: false }));
  const workloads = names.map((name) => workload(cluster, name));
  await fleet.accept(batch(cluster, seq + 2, workloads, { ...compared, kind: WORKLOAD, inStep: false }));
  await fleet.accept(batch(cluster, seq + 3, [], { ...compared, kind: PRESENT, inStep: true }));
}

/** A fleet of one cluster whose services all have an output of one policy. */
async function fleetState(count = 40) {
  const fleet = await fleetOf('c1');
  await push(fleet, 'c1', services(count));
  await declare(fleet, POLICY);
  const guard = guardOf(fleet);
  const outputs = serve(fleet, guard);
  assert.is(sent(outputs).length, count);
  return { fleet, guard, outputs };
}

function guardOf(
  fleet: Fleet,
  unheard: () => readonly string[] = () => [],
  discoveryFails: () => boolean = () => false,
): DeletionGuard {
  return new DeletionGuard({ fleet, owner: 'meshrelay', unheard, discoveryFails, logger: silentLogger });
}

function serve(fleet: Fleet, guard: DeletionGuard): ClusterOutputs {
  const outputs = new ClusterOutputs({
    fleet,
    guard,
    tables: new OutputTables(),
    vectors: new InputVectors({ fleet, managementVersions: () => new Map() }),
    safeMode: () => ({ active: false }) as SafeMode,
    replaced: () => undefined,
    logger: silentLogger,
  });
  fleet.listen((changes, cause) => outputs.update(changes, cause));
  outputs.begin();
  return outputs;
}

const sent = (outputs: ClusterOutputs, cluster = 'c1'): ObjectEnvelope[] => {
  const { content } = outputs.of(cluster).table;
  return content
    .kinds()
    .flatMap(({ group, version, kind }) =>
      [...content.entries(`${group}/${version}/${kind}`)].map(([, { envelope }]) => envelope),
    );
};
const remove = (fleet: Fleet, cause: InputCause): Promise<unknown> =>
  fleet.write((transaction, all) => deleteObject(transaction, all, MANAGEMENT_CLUSTER, POLICY_NAME), undefined, cause);

test('an observed deletion of a policy deletes all its outputs at once', async () => {
  const { fleet, outputs, guard } = await fleetState();
  await remove(fleet, OBSERVED);
  assert.is(sent(outputs).length, 0);
  assert.is(guard.heldIn('c1'), undefined);
});

test('a policy that is merely missing from a list deletes nothing', async () => {
  const { fleet, outputs, guard } = await fleetState();
  await remove(fleet, EDIT);
  assert.is(sent(outputs).length, 40);
  assert.is(guard.heldIn('c1')?.outputs.length, 40);
  assert.ok(outputs.of('c1').complete, 'the rest continues');
  assert.equal(guard.holding, ['c1']);
});

test('while the discovery of a plugin fails, not even a few outputs are deleted without proof', async () => {
  const fleet = await fleetOf('c1');
  await push(fleet, 'c1', services(5));
  await declare(fleet, POLICY);
  let fails = false;
  const guard = guardOf(fleet, undefined, () => fails);
  const outputs = serve(fleet, guard);
  assert.is(sent(outputs).length, 5);

  fails = true;
  await fleet.open('c1', 2, KINDS);
  const compared = { term: 2, followed: false };
  const gone = [{ ...MESH, namespace: 'istio-system', name: 'istiod' }];
  await fleet.accept(batch('c1', 1, [], { ...compared, inStep: false, deletes: gone }));
  await fleet.accept(batch('c1', 2, [], { ...compared, kind: WORKLOAD, inStep: true }));
  assert.is(sent(outputs).length, 5);
  assert.is(guard.heldIn('c1')?.outputs.length, 5);

  await remove(fleet, OBSERVED);
  assert.is(sent(outputs).length, 0, 'the policy was seen deleted, which is proof');

  await declare(fleet, POLICY);
  fails = false;
  await push(fleet, 'c1', services(5), 3);
  assert.is(sent(outputs).length, 5);
  assert.is(guard.heldIn('c1'), undefined);
});

test('observed deletions of services delete their outputs, however many', async () => {
  const { fleet, outputs, guard } = await fleetState();
  const gone = services(30).map((name) => ({ ...DESTINATION, namespace: 'bookinfo', name }));
  await fleet.accept(batch('c1', 9, [], { kind: DESTINATION, deletes: gone }));
  assert.is(sent(outputs).length, 10);
  assert.is(guard.heldIn('c1'), undefined);
});

test('an agent that reconnects with an empty state deletes nothing', async () => {
  const { fleet, outputs, guard } = await fleetState();
  await fleet.open('c1', 2, KINDS);
  const gone = services(40).map((name) => ({ ...DESTINATION, namespace: 'bookinfo', name }));
  const compared = { term: 2, followed: false, inStep: false };
  for (let at = 0; at < 40; at += 5) {
    const deletes = gone.slice(at, at + 5);
    await fleet.accept(batch('c1', at + 1, [], { ...compared, kind: DESTINATION, deletes }));
    assert.is(sent(outputs).length, 40, 'not even a few, while more may be missing');
  }
  await fleet.accept(
    batch('c1', 50, [], { ...compared, kind: MESH, deletes: [{ ...MESH, namespace: 'istio-system', name: 'istiod' }] }),
  );
  assert.is(guard.heldIn('c1'), undefined, 'how much is missing is known at the end');
  await fleet.accept(batch('c1', 51, [], { ...compared, kind: WORKLOAD, inStep: true }));
  assert.is(sent(outputs).length, 40);
  assert.is(guard.heldIn('c1')?.outputs.length, 40);

  await push(fleet, 'c1', services(40), 3);
  assert.is(guard.heldIn('c1'), undefined, 'it was a mistake, and is over');
  assert.is(sent(outputs).length, 40);
});

test('a few missing outputs are deleted at the end of the comparison', async () => {
  const { fleet, outputs } = await fleetState();
  await fleet.open('c1', 2, KINDS);
  const deletes = services(5).map((name) => ({ ...DESTINATION, namespace: 'bookinfo', name }));
  await fleet.accept(batch('c1', 1, [], { term: 2, kind: DESTINATION, deletes, followed: false, inStep: false }));
  assert.is(sent(outputs).length, 40);
  await fleet.accept(batch('c1', 2, [], { term: 2, kind: MESH, followed: false, inStep: true }));
  assert.is(sent(outputs).length, 35);
});

test('an edit that removes most outputs is held; deleting the policy afterwards proves the intent', async () => {
  const { fleet, outputs, guard } = await fleetState();
  const narrow = {
    ...POLICY,
    spec: { ...(POLICY.spec as object), destinationSelector: [{ kubeServiceMatcher: { labels: { app: 's1' } } }] },
  };
  await declare(fleet, narrow as KubeObject);
  assert.is(guard.heldIn('c1')?.outputs.length, 39);
  assert.is(sent(outputs).length, 40);
  await remove(fleet, OBSERVED);
  assert.is(guard.heldIn('c1'), undefined);
  assert.is(sent(outputs).length, 0);
});

/** A Service as an agent sends it after its pods are gone: it is in no mesh. */
function withoutPods(name: string): KubeObject {
  const { spec, ...rest } = destination('c1', name, 1);
  const { mesh: _, ...others } = spec as { readonly mesh: unknown };
  return { ...rest, spec: others } as KubeObject;
}

test('services that first lose their pods, and are then deleted, delete their outputs', async () => {
  const { fleet, outputs, guard } = await fleetState();
  const names = services(30);
  await fleet.accept(batch('c1', 9, names.map(withoutPods), { kind: DESTINATION }));
  assert.is(guard.heldIn('c1')?.outputs.length, 30);
  const gone = names.map((name) => ({ ...DESTINATION, namespace: 'bookinfo', name }));
  await fleet.accept(batch('c1', 10, [], { kind: DESTINATION, deletes: gone.slice(0, 29) }));
  assert.is(guard.heldIn('c1')?.outputs.length, 30, 'one is still there');
  assert.is(sent(outputs).length, 40);
  await fleet.accept(batch('c1', 11, [], { kind: DESTINATION, deletes: gone.slice(29) }));
  assert.is(guard.heldIn('c1'), undefined);
  assert.is(sent(outputs).length, 10);
});

test('outputs stay held if other inputs were edited with deleted services, or if a service returns', async () => {
  const { fleet, outputs, guard } = await fleetState();
  const names = services(30);
  const gone = names.map((name) => ({ ...DESTINATION, namespace: 'bookinfo', name }));
  const bystander = destination('c1', 's39', 2);
  await fleet.accept(batch('c1', 9, [...names.map(withoutPods), bystander], { kind: DESTINATION }));
  await fleet.accept(batch('c1', 10, [], { kind: DESTINATION, deletes: gone }));
  assert.is(guard.heldIn('c1')?.outputs.length, 30);
  assert.is(sent(outputs).length, 40);

  const second = await fleetState();
  await second.fleet.accept(batch('c1', 9, names.map(withoutPods), { kind: DESTINATION }));
  await second.fleet.accept(batch('c1', 10, [], { kind: DESTINATION, deletes: gone.slice(0, 29) }));
  await second.fleet.accept(batch('c1', 11, [withoutPods('s0')], { kind: DESTINATION }));
  await second.fleet.accept(batch('c1', 12, [], { kind: DESTINATION, deletes: gone.slice(29) }));
  assert.is(second.guard.heldIn('c1')?.outputs.length, 30);
});

const approval = (digest: string, objects: readonly string[]): KubeObject => ({
  apiVersion: 'admin.meshrelay.dev/v1alpha1',
  kind: 'Ledger',
  metadata: { name: 'approval-c1', namespace: 'meshrelay' },
  spec: { approvals: [{ cluster: 'c1', digest, approvedAt: '2026-01-01T00:00:00Z', objects }] },
});

test('approved deletions proceed, and only those', async () => {
  const { fleet, outputs, guard } = await fleetState();
  await remove(fleet, EDIT);
  const held = guard.heldIn('c1');
  assert.ok(held !== undefined);
  const some = held.outputs.slice(0, 25).map(({ object }) => approvedText(object));
  await declare(fleet, approval(held.digest, some));
  assert.is(sent(outputs).length, 15);
  assert.is(guard.heldIn('c1')?.outputs.length, 15);
});

/** The cluster reports its generated objects. */
async function announcePresent(fleet: Fleet, outputs: ClusterOutputs, seq: number): Promise<void> {
  const objects = sent(outputs).map(({ body }) => JSON.parse(new TextDecoder().decode(body)) as KubeObject);
  await fleet.accept(batch('c1', seq, objects, { kind: PRESENT }));
}

test('a server that started after the deletion of a policy holds the remaining outputs', async () => {
  const { fleet, outputs } = await fleetState();
  await announcePresent(fleet, outputs, 9);
  await remove(fleet, EDIT);

  const guard = guardOf(fleet);
  const restarted = serve(fleet, guard);
  assert.is(guard.heldIn('c1')?.outputs.length, 40);
  const retained = sent(restarted);
  assert.is(retained.length, 40);
  assert.ok(retained.every(isRetained), 'it stays unchanged, since its desired state is unknown');
  assert.ok(restarted.of('c1').complete);

  const held = guard.heldIn('c1');
  const objects = (held?.outputs ?? []).map(({ object }) => approvedText(object));
  await declare(fleet, approval(held?.digest ?? '', objects));
  assert.is(sent(restarted).length, 0);

  const again = guardOf(fleet);
  assert.is(sent(serve(fleet, again)).length, 0, 'an approval outlives the process, until all of it is gone');
  assert.is(again.heldIn('c1'), undefined);
});

test('outputs of a policy that cannot be read after a restart stay, however few', async () => {
  const { fleet, outputs } = await fleetState(3);
  await announcePresent(fleet, outputs, 9);
  await fleet.write((transaction, all) => {
    const raw = { ...POLICY, metadata: { ...POLICY.metadata, uid: 'u' } };
    setUnreadable(transaction, all, MANAGEMENT_CLUSTER, raw, [{ field: 'spec', message: 'nonsense' }] as never);
  });

  const guard = guardOf(fleet);
  const restarted = serve(fleet, guard);
  assert.is(sent(restarted).length, 3);
  assert.is(guard.heldIn('c1')?.outputs.length, 3);

  await fleet.write(
    (transaction, all) => deleteObject(transaction, all, MANAGEMENT_CLUSTER, POLICY_NAME),
    undefined,
    OBSERVED,
  );
  assert.is(sent(restarted).length, 0, 'a user deleted it');
});

test('earlier outputs stay, however few, until the server has synced every cluster', async () => {
  const { fleet, outputs } = await fleetState(8);
  await announcePresent(fleet, outputs, 9);
  const narrow = { kubeServiceMatcher: { labels: { app: 's1' } } };
  await declare(fleet, {
    ...POLICY,
    spec: { ...(POLICY.spec as object), destinationSelector: [narrow] },
  } as KubeObject);

  let unheard = ['asleep'];
  const guard = guardOf(fleet, () => unheard);
  const restarted = serve(fleet, guard);
  assert.is(guard.heldIn('c1')?.outputs.length, 7);
  assert.is(sent(restarted).length, 8);
  assert.ok(restarted.of('c1').complete, 'the rest continues');

  await declare(fleet, POLICY);
  await remove(fleet, EDIT);
  assert.is(sent(restarted).length, 0, 'outputs that this server desired are guarded as before');
  assert.is(guard.heldIn('c1'), undefined);

  const again = guardOf(fleet, () => unheard);
  const once = serve(fleet, again);
  assert.is(sent(once).length, 8);
  unheard = [];
  await fleet.accept(batch('c1', 11, [mesh('c1')]));
  assert.is(sent(once).length, 0, 'the cluster has told, and wants none of it');
  assert.is(again.heldIn('c1'), undefined);
});

test('the guard ignores objects of other owners', async () => {
  const fleet = await fleetOf('c1');
  const other = (name: string): KubeObject => ({
    apiVersion: 'networking.istio.io/v1',
    kind: 'VirtualService',
    metadata: { name, namespace: 'shop', labels: { [OWNER_LABEL]: 'elsewhere' } },
    spec: {},
  });
  await fleet.write((transaction, all) => {
    for (const name of services(50)) setObject(transaction, all, 'c1', other(name));
  });
  await push(fleet, 'c1', []);
  const guard = guardOf(fleet);
  serve(fleet, guard).of('c1');
  assert.is(guard.heldIn('c1'), undefined);
});

test('an intended deregistration deletes the outputs of other clusters that depend on it', async () => {
  const { fleet, guard, outputs } = await fleetState();
  await fleet.write((transaction, all) => transaction.delete(all.clusters, key('c1')), undefined, OBSERVED);
  await fleet.forget('c1', OBSERVED);
  assert.is(guard.heldIn('c1'), undefined);
  outputs.end('c1');
  assert.equal(guard.holding, []);
});

test.run();
