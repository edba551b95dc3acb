/** Several replicas of the server on one Redis: each knows the whole fleet, and any of them can restart from it. */

import type { KubeObject, KubernetesClusterStatus, PolicyStatus } from '@meshrelay/api';
import type { LogBatch } from '@meshrelay/relay-protocol';
import { assert, eventually, test } from '@meshrelay/testing';
import { type RedisServer, redisProgram, startRedis } from '@meshrelay/testing/redis';
import type { ManagementServer } from '../src/mod.ts';
import type { LogsFound } from '../src/observe/log-search.ts';
import { destination, istioCluster, kubernetesCluster, timeoutPolicy, virtualMesh } from './support/discovered.ts';
import { ISTIO_PLUGINS } from './support/istio-plugins.ts';
import { api, ManagementCluster } from './support/management.ts';
import { type Dial, ScriptedAgent } from './support/scripted-agent.ts';

const program = await redisProgram();

interface SafeModeShown {
  readonly active: boolean;
  readonly unsyncedClusters: readonly string[];
}
const safeMode = async (server: ManagementServer): Promise<SafeModeShown> =>
  ((await api(server, '')) as { safeMode: SafeModeShown }).safeMode;
const at = (dial: Dial, server: ManagementServer): Dial => ({ ...dial, port: server.relayPort });
const storeOf = (redis: RedisServer): object => ({
  store: { type: 'redis', redis: { addresses: [`127.0.0.1:${redis.port}`] } },
});

/** The Pod of a replica in the management cluster. */
const serverPod = (name: string, port: number): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'meshrelay', labels: { 'app.kubernetes.io/name': 'meshrelay-mgmt-server' } },
    spec: { containers: [{ name: 'server', image: 'server', ports: [{ name: 'peers', containerPort: port }] }] },
    status: { phase: 'Running', podIP: '127.0.0.1' },
  }) as unknown as KubeObject;

/** Two replicas, each with the agent of one of two clusters in a VirtualMesh. */
async function fleetOfTwo(redis: RedisServer) {
  const stack = new AsyncDisposableStack();
  const vm = virtualMesh('vm', ['c1', 'c2']);
  const slow = timeoutPolicy('slow', 'c1');
  const management = stack.use(await ManagementCluster.start(['c1', 'c2'], [vm, slow]));
  const running = new Set<ManagementServer>();
  stack.defer(async () => {
    for (const server of running) await server[Symbol.asyncDispose]();
  });
  const start = async (replica: string): Promise<ManagementServer> => {
    const server = await management.startServer({ replica, ...storeOf(redis) }, ISTIO_PLUGINS);
    running.add(server);
    return server;
  };
  const end = async (server: ManagementServer): Promise<void> => {
    running.delete(server);
    await server[Symbol.asyncDispose]();
  };
  const servers = [await start('server-0'), await start('server-1')] as const;
  const one = stack.use(new ScriptedAgent().push(...istioCluster('c1', 1)));
  const two = stack.use(new ScriptedAgent().push(...istioCluster('c2', 2, 'ratings')));
  const dials = { one: await management.enrol(servers[0], 'c1'), two: await management.enrol(servers[1], 'c2') };
  one.connect(dials.one);
  two.connect(dials.two);
  await eventually(
    'each has what follows from the other, though their agents are connected to different replicas',
    () => [one, two].every((agent) => agent.complete && agent.names('ServiceEntry').length === 2),
    { seen: () => [one.names('ServiceEntry'), two.names('ServiceEntry'), one.behind, two.behind] },
  );
  return { management, start, end, servers, one, two, dials, slow, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

if (program !== undefined) {
  const redis = await startRedis(program);
  test.after(async () => await redis[Symbol.asyncDispose]());
  test.before.each(async () => {
    await redis.restart();
  });

  test('changes travel from an agent through its replica to the agents of others', async () => {
    await using fleet = await fleetOfTwo(redis);
    const { one, two } = fleet;
    const extra = destination('c1', 'details', 1);
    one.push(extra);
    await eventually('the other hears of it', () => two.names('ServiceEntry').length === 3, {
      seen: () => two.names('ServiceEntry'),
    });
    one.remove(extra);
    await eventually('and that it is gone', () => two.names('ServiceEntry').length === 2);
  });

  test('Applied is True if the leader started after the replica with the agent', async () => {
    await using stack = new AsyncDisposableStack();
    const slow = timeoutPolicy('slow', 'c1');
    const management = stack.use(await ManagementCluster.start(['c1'], [slow]));
    const never = { leaderElection: { leaseDuration: 3_600_000, renewDeadline: 3_000_000, retryPeriod: 1_000_000 } };
    const first = await management.startServer({ replica: 'server-0', ...storeOf(redis) });
    await eventually('it leads', () => management.get('coordination.k8s.io/v1', 'Lease', 'meshrelay-mgmt-server'));
    const older = stack.use(await management.startServer({ replica: 'server-1', ...storeOf(redis), ...never }));
    const agent = stack.use(new ScriptedAgent().push(...istioCluster('c1', 1)));
    agent.connect(await management.enrol(older, 'c1'));
    const applied = () => {
      const { conditions = [] } = management.live<PolicyStatus>(slow)?.status ?? {};
      return conditions.find(({ type }) => type === 'Applied');
    };
    await eventually('it is in place', () => applied()?.status === 'True', { seen: applied });
    // Revisions grow with every write: a replica that starts now lists unchanged kinds at newer ones.
    management.create(timeoutPolicy('other', 'c1', 'ratings'));
    stack.use(await management.startServer({ replica: 'server-2', ...storeOf(redis) }));
    await first[Symbol.asyncDispose]();
    const edited = { ...slow, spec: { ...(slow.spec as object), policy: { requestTimeout: '9s' } } };
    management.update(edited);
    const generation = () => management.live<PolicyStatus>(slow)?.status?.observedGeneration;
    await eventually('the younger leads, and sees the edit', () => (generation() ?? 0) >= 2, { seen: generation });
    await eventually('the edit is in place', () => applied()?.status === 'True', { seen: applied });
    assert.is(applied()?.message, 'applied in c1');
  });

  test('statuses cover the whole fleet, whichever replica holds the Lease', async () => {
    await using fleet = await fleetOfTwo(redis);
    const { management, slow, two, servers, end } = fleet;
    const applied = (policy: KubeObject): string | undefined => {
      const { conditions = [] } = management.live<PolicyStatus>(policy)?.status ?? {};
      return conditions.find(({ type }) => type === 'Applied')?.status;
    };
    const cluster = (name: string) => management.live<KubernetesClusterStatus>(kubernetesCluster(name))?.status;
    await eventually(
      'both clusters are connected, each to its replica',
      () =>
        ['c1', 'c2'].map((name) => `${cluster(name)?.state} ${cluster(name)?.connectedReplica}`).join() ===
        'CONNECTED server-0,CONNECTED server-1',
      { seen: () => [cluster('c1'), cluster('c2')] },
    );
    const inBoth = timeoutPolicy('ratings', 'c2', 'ratings');
    management.create(inBoth);
    for (const policy of [slow, inBoth])
      await eventually('it is in place everywhere', () => applied(policy) === 'True', {
        seen: () => management.live(policy)?.status,
      });
    // The policy reports a rejection by an agent at the other replica, and drops it when the agent accepts.
    const [id = ''] = [...two.applied.keys()].filter(
      (one) => one.includes('VirtualService') && one.includes('ratings'),
    );
    two.refuses.set(id, 'no room');
    management.update({ ...inBoth, spec: { ...(inBoth.spec as object), policy: { requestTimeout: '7s' } } });
    await eventually(
      'the rejection is reported',
      () => applied(inBoth) === 'False' && JSON.stringify(management.live(inBoth)?.status).includes('no room'),
      { seen: () => management.live(inBoth)?.status },
    );
    two.refuses.clear();
    two.resync();
    await eventually('it is in place after all', () => applied(inBoth) === 'True', {
      seen: () => management.live(inBoth)?.status,
    });
    two.disconnect();
    await eventually('the disconnected agent is reported', () => cluster('c2')?.state === 'DISCONNECTED', {
      seen: () => cluster('c2'),
    });
    await end(servers[1]);
    assert.is(cluster('c1')?.state, 'CONNECTED');
  });

  test('each replica answers for the agents of both, wherever they move', async () => {
    await using fleet = await fleetOfTwo(redis);
    const { management, servers, one, two, dials } = fleet;
    for (const [at, { peersPort }] of servers.entries()) {
      const pod = serverPod(`server-${at}`, peersPort);
      management.create(pod);
      management.sim.objects.update(pod as never, { subresource: 'status' });
    }
    const found = async (server: ManagementServer): Promise<string> => {
      const { entries, clusters } = (await api(server, '/logs')) as unknown as LogsFound;
      const problems = clusters.flatMap(({ problem }) => problem ?? []);
      return [...entries.map(({ path, cluster }) => `${path} of ${cluster}`), ...problems].join();
    };
    const search = (path: string) => ({
      read: (given: unknown) => given as never,
      run: (): LogBatch => ({ entries: [{ time: path, path }], replicas: [{ replica: 'agent-0' }] }),
    });
    const [first, second] = servers;
    one.handlers = { 'logs.search': search('/1') };
    two.handlers = { 'logs.search': search('/2') };
    let answers: readonly string[] = [];
    const answered = async (): Promise<boolean> => {
      answers = await Promise.all(servers.map(found));
      return answers.every((answer) => answer === '/1 of c1,/2 of c2');
    };
    const seen = { deadline: 60_000, seen: () => answers };
    one.disconnect();
    one.connect(at(dials.one, first));
    two.disconnect();
    two.connect(at(dials.two, second));
    await eventually('both answer for both', answered, seen);
    two.disconnect();
    two.connect(at(dials.two, first));
    await eventually('also when both agents are connected to one', answered, seen);
    one.disconnect();
    one.connect(at(dials.one, second));
    await eventually('and when they have changed places', answered, seen);
  });

  test('an agent whose replica stops continues at the other, and loses nothing', async () => {
    await using fleet = await fleetOfTwo(redis);
    const { one, two, servers, dials, end } = fleet;
    const had = [...one.applied.keys()].sort();
    await end(servers[0]);
    one.disconnect();
    one.connect(at(dials.one, servers[1]));
    await eventually('it has everything', () => one.complete, { seen: () => one.behind });
    assert.equal([...one.applied.keys()].sort(), had);
    one.push(destination('c1', 'details', 1));
    await eventually('its change arrives', () => two.names('ServiceEntry').length === 3);
  });

  test('F20: with all servers gone and Redis present, a new one knows everything without any agent, and deletes nothing', async () => {
    await using fleet = await fleetOfTwo(redis);
    const { one, two, servers, start, end, dials, management } = fleet;
    await eventually('both are in the ledger', () => management.logged('decisions stored').length > 0);
    const had = [...one.applied.keys()].sort();
    for (const server of servers) await end(server);
    two.disconnect();
    one.disconnect();
    const started = performance.now();
    const server = await start('server-2');
    await eventually('safe mode has ended', async () => !(await safeMode(server)).active);
    one.connect(at(dials.one, server));
    await eventually('the agent has everything', () => one.complete, { seen: () => one.behind });
    console.log(`first output ${Math.round(performance.now() - started)} ms after the start`);
    assert.equal([...one.applied.keys()].sort(), had);
  });

  test('F31: after a restart of Redis and all servers nothing is sent until every agent has connected', async () => {
    await using fleet = await fleetOfTwo(redis);
    const { one, two, servers, start, end, dials, management } = fleet;
    await eventually('both are in the ledger', () => management.logged('decisions stored').length > 0);
    const had = { one: [...one.applied.keys()].sort(), two: [...two.applied.keys()].sort() };
    for (const server of servers) await end(server);
    for (const agent of [one, two]) agent.disconnect();
    await redis.restart();
    const first = await start('server-2');
    const second = await start('server-3');
    one.connect(at(dials.one, first));
    for (const server of [first, second])
      await eventually(
        'only the second is missing',
        async () => (await safeMode(server)).unsyncedClusters.join() === 'c2',
      );
    assert.not(one.complete);
    const heard = performance.now();
    two.connect(at(dials.two, second));
    await eventually('both have all outputs', () => one.complete && two.complete, {
      seen: () => [one.behind, two.behind],
    });
    console.log(`out of safe mode ${Math.round(performance.now() - heard)} ms after the last one connected`);
    assert.equal({ one: [...one.applied.keys()].sort(), two: [...two.applied.keys()].sort() }, had);
  });

  test('F28: without Redis each replica serves its own agents, and other data stays unchanged', async () => {
    await using fleet = await fleetOfTwo(redis);
    const { one, two, servers, management, slow } = fleet;
    const had = [...two.applied.keys()].sort();
    const conditionOf = (object: KubeObject, desired: string): string | undefined => {
      const { conditions = [] } = management.live<PolicyStatus>(object)?.status ?? {};
      const found = conditions.find(({ type }) => type === desired);
      return found === undefined ? undefined : `${found.status} ${found.reason}`;
    };
    const shown = {
      seen: () => [management.live(slow)?.status, management.live(kubernetesCluster('c2'))?.status],
    };
    await eventually(
      'the Lease holder knows of both, and that the policy is applied in both',
      () =>
        conditionOf(kubernetesCluster('c2'), 'Connected') === 'True AgentConnected' &&
        management
          .live<PolicyStatus>(slow)
          ?.status?.conditions?.find(({ type }) => type === 'Applied')
          ?.message.includes('c2') === true,
      shown,
    );
    await redis.kill();
    await eventually(
      'it is noticed',
      () =>
        management.logged('Redis is unreachable; the state of clusters connected to other replicas is not updated')
          .length === 2,
    );
    const extra = destination('c1', 'details', 1);
    management.create(timeoutPolicy('quick', 'c1'));
    one.push(extra);
    await eventually('its own replica knows', async () =>
      JSON.stringify(await api(servers[0], '/destinations')).includes('details'),
    );
    assert.equal([...two.applied.keys()].sort(), had);
    await eventually(
      'the age of the status is reported',
      () =>
        conditionOf(slow, 'Stale') === 'True StoreUnreachable' &&
        conditionOf(kubernetesCluster('c2'), 'Connected') === 'Unknown StoreUnreachable',
      shown,
    );
    assert.is(conditionOf(kubernetesCluster('c1'), 'Connected'), 'True AgentConnected', 'its own is not old');
    await redis.restart();
    await eventually(
      'it is no longer old',
      () =>
        conditionOf(slow, 'Stale') === undefined &&
        conditionOf(kubernetesCluster('c2'), 'Connected') === 'True AgentConnected',
      shown,
    );
    await eventually('the other hears of it', () => two.names('ServiceEntry').length === 3);
  });
}

test.run();
