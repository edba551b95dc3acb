/**
 * The running demo under the changes of users and the events of a night. One fleet for all tests, since each start
 * takes seconds.
 */
import process from 'node:process';
import { type AppliedObject, applied, converge } from '@meshrelay/local-fleet';
import istio from '@meshrelay/plugin-istio';
import { crdValidator } from '@meshrelay/plugin-kit';
import osm from '@meshrelay/plugin-osm';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import { assert, eventually, meshCrdFiles, suite } from '@meshrelay/testing';
import type { Reported } from '../story/story.ts';
import { startFleet } from './support/fleet.ts';

const living = suite('living with the demo');
let reported: Reported;
let cleanup: AsyncDisposableStack;

const VIRTUAL_SERVICE = {
  group: 'networking.istio.io',
  version: 'v1',
  kind: 'VirtualService',
  plural: 'virtualservices',
  namespaced: true,
};
const TRAFFIC_POLICY = {
  group: 'networking.meshrelay.dev',
  version: 'v1alpha1',
  kind: 'TrafficPolicy',
  plural: 'trafficpolicies',
  namespaced: true,
};
const LEASE = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', namespaced: true };

living.before(async () => {
  ({ reported, cleanup } = await startFleet());
});

living.after(() => cleanup.disposeAsync());

/** All generated objects of every workload cluster, with their uids: a recreated object has another uid. */
async function everything(): Promise<Map<string, string>> {
  const all = await Promise.all(
    reported.workloads.map(async ({ plan, connection }) =>
      (await applied(connection)).map((object) => [nameOf(plan.name, object), object.uid] as const),
    ),
  );
  return new Map(all.flat());
}

function nameOf(cluster: string, { kind, namespace, name }: AppliedObject): string {
  return `${cluster} ${kind} ${namespace}/${name}`;
}

/** Validators of the objects of each mesh; no files if this machine has no copy of them. */
const EVALUATES = {
  istio: { writes: istio.writes, files: meshCrdFiles('istio'), atLeast: 30 },
  osm: { writes: osm.writes, files: meshCrdFiles('osm'), atLeast: 5 },
};

for (const [mesh, { writes, files, atLeast }] of Object.entries(EVALUATES)) {
  living(`has only objects that ${mesh} accepts, without unknown fields`, async () => {
    if (files === undefined) return;
    const problemsOf = crdValidator(files);
    let evaluated = 0;
    for (const { plan, connection } of reported.workloads.filter((cluster) => cluster.plan.mesh === mesh)) {
      for (const kind of writes) {
        for (const object of await connection.objects(kind).list({ labelSelector: OWNER_LABEL })) {
          assert.equal(problemsOf({ ...object }), [], `${plan.name} ${kind.kind} ${object.metadata.name}`);
          evaluated++;
        }
      }
    }
    assert.ok(evaluated > atLeast, `${evaluated} objects`);
  });
}

living('recreates a generated object that a user deletes', async () => {
  const [east] = reported.workloads;
  assert.ok(east);
  const services = east.connection.objects(VIRTUAL_SERVICE);
  const key = { namespace: 'bookshop', name: 'meshrelay-reviews' };
  const before = await services.read(key);
  assert.ok(before);
  await services.delete(key);
  const after = await eventually('the VirtualService to come back', () => services.read(key));
  assert.equal(after.spec, before.spec);
});

living('deletes exactly the objects of a deleted policy', async () => {
  const before = await everything();
  const policies = reported.management.connection.objects(TRAFFIC_POLICY);
  await policies.delete({ namespace: 'meshrelay', name: 'patient-catalog' });
  const gone = 'cluster-1 VirtualService bookshop/meshrelay-catalog';
  assert.ok(before.has(gone));
  await eventually('the VirtualService to go', async () => !(await everything()).has(gone), { deadline: 120_000 });
  await settled();
  const after = await everything();
  const missing = [...before.keys()].filter((name) => !after.has(name));
  // The other cluster had its own copy of the route, for the federated name.
  assert.equal(
    missing.sort(),
    [gone, 'cluster-2 VirtualService istio-system/meshrelay-catalog.bookshop.cluster-1'].sort(),
  );
  for (const [name, uid] of after) assert.is(uid, before.get(name), name);
});

living('moves the Lease when the leading agent is killed, deletes nothing, and continues', async () => {
  const [east] = reported.workloads;
  assert.ok(east);
  const before = await everything();
  const leases = east.connection.objects(LEASE);
  const holder = async (): Promise<string> => {
    const lease = await leases.read({ namespace: 'meshrelay', name: 'meshrelay-agent' });
    return String((lease?.spec as { holderIdentity?: string } | undefined)?.holderIdentity ?? '');
  };
  const first = await holder();
  const leader = reported.programs.find(({ name }) => first.startsWith(name));
  assert.ok(leader, `the holder ${first} is one of the replicas`);
  process.kill(leader.pid, 'SIGKILL');
  await eventually(
    'the other replica to take over',
    async () => {
      const now = await holder();
      return now !== first && now !== '';
    },
    { deadline: 120_000 },
  );
  await settled();
  assert.equal(await everything(), before);
  await followsAnEdit(70);
  assert.equal(await everything(), before);
});

living('recovers by itself when any of its processes is killed, and continues', async () => {
  const before = await everything();
  for (const [at, program] of reported.programs.entries()) {
    const { name, pid } = program;
    process.kill(pid, 'SIGKILL');
    await eventually(`${name} to run again`, () => program.pid !== pid && hasStarted(program), { deadline: 120_000 });
    await settled();
    assert.equal(await everything(), before, name);
    await followsAnEdit(65 - at);
    assert.equal(await everything(), before, name);
  }
});

function hasStarted(program: Reported['programs'][number]): boolean {
  return ['management server started', 'agent started'].some((message) => program.logged(message) !== undefined);
}

/** Waits until every cluster has exactly its desired objects, which after the deletion above lack one policy. */
async function settled(): Promise<void> {
  await converge(reported.api, reported.workloads, {
    policies: reported.converged.policies.length - 1,
    signal: new AbortController().signal,
  });
}

/**
 * Shifts weight from the first to the second destination of the canary, and waits until the VirtualService has it: the
 * path of a change works again.
 */
async function followsAnEdit(weight: number): Promise<void> {
  const [east] = reported.workloads;
  assert.ok(east);
  const policies = reported.management.connection.objects(TRAFFIC_POLICY);
  const policy = await policies.read({ namespace: 'meshrelay', name: 'reviews-canary' });
  assert.ok(policy);
  const edited = structuredClone(policy) as unknown as {
    spec: { policy: { trafficShift: { destinations: Array<{ weight: number }> } } };
  };
  const [first, second] = edited.spec.policy.trafficShift.destinations;
  assert.ok(first && second);
  second.weight += first.weight - weight;
  first.weight = weight;
  // A patch: the server may write the status at the same moment.
  await policies.merge({ namespace: 'meshrelay', name: 'reviews-canary' }, { spec: edited.spec });
  const services = east.connection.objects(VIRTUAL_SERVICE);
  const weightNow = async (): Promise<unknown> => {
    const found = await services.read({ namespace: 'bookshop', name: 'meshrelay-reviews' });
    return (found?.spec as { http: Array<{ route: Array<{ weight: number }> }> } | undefined)?.http[0]?.route[0]
      ?.weight;
  };
  await eventually(`a weight of ${weight}`, async () => (await weightNow()) === weight, { deadline: 120_000 });
}

living.run();
