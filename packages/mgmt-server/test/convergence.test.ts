/** Convergence through the whole server: whether the desired state will still change by itself. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, PolicyStatus } from '@meshrelay/api';
import { SERVER_LEASE } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import type { ManagementServer } from '../src/mod.ts';
import { istioCluster, timeoutPolicy, virtualMesh } from './support/discovered.ts';
import { convergence, items, ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

const ROUTE = 'networking.istio.io/v1/VirtualService/bookinfo/meshrelay-reviews';

/** Held by a replica that never decides anything. */
const TAKEN = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: SERVER_LEASE, namespace: 'meshrelay' },
  spec: {
    holderIdentity: 'another',
    leaseDurationSeconds: 100_000,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
    leaseTransitions: 1,
  },
} as unknown as KubeObject;

const RELEASED = { ...TAKEN, spec: { ...(TAKEN.spec as object), holderIdentity: '' } } as KubeObject;

/** The Applied condition of each policy, by its name. */
async function applied(server: ManagementServer): Promise<Record<string, string>> {
  const policies = (await items(server, 'policies')) as unknown as ReadonlyArray<
    PolicyStatus & { readonly name: string }
  >;
  return Object.fromEntries(
    policies.map(({ name, conditions }) => {
      const { status, reason } = conditions.find(({ type }) => type === 'Applied') ?? {};
      return [name, `${status} ${reason}`];
    }),
  );
}

test('policies are accepted before decisions are stored: the server reports that it has not converged until they are', async () => {
  const objects = [TAKEN, virtualMesh('vm', ['c1', 'c2']), timeoutPolicy('slow', 'c1')];
  await using management = await ManagementCluster.start(['c1', 'c2'], objects);
  await using server = await management.startServer();
  using one = new ScriptedAgent().push(...istioCluster('c1', 1));
  using two = new ScriptedAgent().push(...istioCluster('c2', 2, 'ratings'));
  one.connect(await management.enrol(server, 'c1'));
  two.connect(await management.enrol(server, 'c2'));
  const accepted = async () => (await items(server, 'policies')).filter(({ state }) => state === 'ACCEPTED').length;
  await eventually('both are accepted', async () => (await accepted()) === 2);
  await eventually('clusters are known', async () => (await convergence(server)).decisions.clusters === 2, {
    seen: () => convergence(server),
  });
  const before = await convergence(server);
  assert.not(before.converged);
  assert.equal(before.decisions, { policies: 2, addresses: 2, clusters: 2 });
  const pending = { slow: 'False AddressPending', vm: 'False AddressPending' };
  await eventually(
    'no replica reports that all of it is applied',
    async () => isDeepStrictEqual(await applied(server), pending),
    { seen: () => applied(server) },
  );
  const early = (await items(server, 'outputs')).length;

  management.update(RELEASED);
  // At a second request it may be ingesting its own writes.
  const after = await eventually(
    'it has converged',
    async () => {
      const now = await convergence(server);
      return now.converged && now;
    },
    { seen: () => convergence(server) },
  );
  assert.equal(after, {
    converged: true,
    changes: 0,
    decisions: { policies: 0, addresses: 0, clusters: 0 },
    deliveries: 0,
  });
  assert.equal(await applied(server), { slow: 'True Applied', vm: 'True Applied' });
  const later = await items(server, 'outputs');
  assert.ok(later.length > early, `${later.length} outputs, ${early} before`);
  assert.is(one.applied.size + two.applied.size, later.length);
});

test('rejected objects do not count as being delivered', async () => {
  await using management = await ManagementCluster.start(['c1'], [timeoutPolicy('slow', 'c1')]);
  await using server = await management.startServer();
  using agent = new ScriptedAgent().push(...istioCluster('c1', 1));
  agent.refuses.set(ROUTE, 'the API server says no');
  agent.connect(await management.enrol(server, 'c1'));
  await eventually('it is refused', async () => (await items(server, 'policies'))[0]?.['state'] === 'FAILED');
  await eventually('it has converged', async () => (await convergence(server)).converged, {
    seen: () => convergence(server),
  });
});

test.run();
