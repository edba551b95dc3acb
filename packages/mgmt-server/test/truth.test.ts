/**
 * All reports on a cluster and a policy stay correct while an agent or Envoy is paused, suspended, stopped, frozen or
 * gone: conditions, states, and `explain`.
 */
import {
  apiVersionOf,
  type Condition,
  definitionOf,
  type KubeObject,
  type KubernetesClusterStatus,
  type PolicyStatus,
  type XdsAcknowledgement,
} from '@meshrelay/api';
import {
  defineMeshPlugin,
  key,
  loadPlugins,
  MANAGEMENT_CLUSTER,
  type PolicyExplanation,
  policyKey,
  setObject,
} from '@meshrelay/relay-core';
import { testMesh } from '@meshrelay/test-mesh';
import { assert, eventually, test } from '@meshrelay/testing';
import type { ManagementServer } from '../src/mod.ts';
import { Connections } from '../src/relay/connections.ts';
import type { ClusterAnnouncement } from '../src/replicas/cluster-announcement.ts';
import { clusterState } from '../src/status/cluster-state.ts';
import { clusterConditions } from '../src/status/cluster-status.ts';
import { PolicyOutcomes } from '../src/status/policy-outcomes.ts';
import { PolicyRejections } from '../src/status/policy-rejections.ts';
import { istioCluster, kubernetesCluster, timeoutPolicy } from './support/discovered.ts';
import { newFleet } from './support/fleet.ts';
import { api, ManagementCluster } from './support/management.ts';
import { APPLIED_KINDS, type Dial, PUSHED_KINDS, ScriptedAgent } from './support/scripted-agent.ts';

const CLUSTER = kubernetesCluster('c1');
const POLICY = timeoutPolicy('slow', 'c1');
const SETTINGS = {
  apiVersion: 'admin.meshrelay.dev/v1alpha1',
  kind: 'Settings',
  metadata: { name: 'settings', namespace: 'meshrelay' },
  spec: {},
} as unknown as KubeObject;

/** Reports on the cluster and the policy. */
interface Said {
  readonly state: string | undefined;
  /** Conditions of the KubernetesCluster, `type status reason`, except InputsComplete. */
  readonly cluster: readonly string[];
  /** Conditions of the policy. */
  readonly policy: readonly string[];
  /** Message of `explain` about the policy's object there. */
  readonly notSent: string | undefined;
}

const WELL: Said = {
  state: 'CONNECTED',
  cluster: ['Connected True AgentConnected', 'OutputsCurrent True Acknowledged'],
  policy: ['Applied True Applied'],
  notSent: undefined,
};

interface Row {
  readonly what: string;
  /** @returns the function that ends it */
  readonly begin: (fleet: Running) => () => void;
  readonly said: Said;
}

const PAUSED_CLUSTER = ['Connected True AgentConnected', 'OutputsCurrent False Paused'];

const ROWS: readonly Row[] = [
  {
    what: 'its outputs are paused',
    begin: ({ broadcast: say }) => say(CLUSTER, { paused: true }),
    said: {
      ...WELL,
      cluster: PAUSED_CLUSTER,
      policy: ['Applied False Paused'],
      notSent:
        'the outputs of cluster c1 are paused (spec.paused of its KubernetesCluster), so no changes are sent to it',
    },
  },
  {
    what: 'the outputs of all are paused',
    begin: ({ broadcast: say }) => say(SETTINGS, { paused: true }),
    said: {
      ...WELL,
      cluster: PAUSED_CLUSTER,
      policy: ['Applied False Paused'],
      notSent: 'the outputs of all clusters are paused (spec.paused of Settings), so no changes are sent',
    },
  },
  {
    what: 'it is suspended',
    begin: ({ broadcast: say }) => say(CLUSTER, { suspended: true }),
    said: {
      state: 'SUSPENDED',
      cluster: ['Connected True AgentConnected', 'OutputsCurrent False Suspended'],
      policy: ['Applied Unknown Suspended'],
      notSent: 'cluster c1 is suspended (spec.suspended of its KubernetesCluster), so nothing is sent to it',
    },
  },
  {
    what: 'its agent takes nothing',
    begin: ({ agent }) => agent.freeze(),
    said: { ...WELL, policy: ['Applied False InProgress'] },
  },
  {
    what: 'its agent is gone',
    begin: ({ leave }) => leave(),
    said: {
      state: 'DISCONNECTED',
      cluster: ['Connected False AgentDisconnected', 'OutputsCurrent Unknown AgentDisconnected'],
      policy: ['Applied Unknown Disconnected', 'Stale True Disconnected'],
      notSent: 'the agent of cluster c1 is not connected',
    },
  },
];

interface Running {
  readonly management: ManagementCluster;
  readonly server: ManagementServer;
  readonly agent: ScriptedAgent;
  /** The agent disconnects and does not reconnect by itself. @returns the function that reconnects it */
  readonly leave: () => () => void;
  /** Gives an object another spec. @returns the function that restores it */
  readonly broadcast: (object: KubeObject, spec: object) => () => void;
}

async function running() {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(['c1'], [POLICY, SETTINGS]));
  const server = cleanup.use(await management.startServer());
  const agent = cleanup.use(new ScriptedAgent().push(...istioCluster('c1', 1)));
  const dial = await management.enrol(server, 'c1');
  let desired = true;
  const connect = (): void => {
    desired = true;
    agent.connect(dial);
    void agent.ended('pull').then((reason) => {
      // Changed registrations end the stream; the test causes all other ends itself.
      if (!desired || !/registration .* has changed/.test(reason?.message ?? '')) return;
      agent.disconnect();
      connect();
    });
  };
  connect();
  const say = (object: KubeObject, spec: object): (() => void) => {
    const update = (to: unknown): void =>
      management.update({ ...(management.live(object) as KubeObject), spec: to } as KubeObject);
    update(spec);
    return () => update(object.spec);
  };
  const leave = (): (() => void) => {
    desired = false;
    agent.disconnect();
    return connect;
  };
  return { management, server, agent, leave, broadcast: say, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

function words(conditions: readonly Pick<Condition, 'type' | 'status' | 'reason'>[] = []): string[] {
  return conditions
    .filter(({ type }) => type !== 'InputsComplete')
    .map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

async function saidBy({ management, server }: Pick<Running, 'management' | 'server'>): Promise<Said> {
  const cluster = management.live<KubernetesClusterStatus>(CLUSTER)?.status;
  const policy = management.live<PolicyStatus>(POLICY)?.status;
  const { outputs } = (await api(server, '/explain/TrafficPolicy/meshrelay/slow')) as PolicyExplanation;
  return {
    state: cluster?.state,
    cluster: words(cluster?.conditions),
    policy: words(policy?.conditions),
    notSent: outputs[0]?.notSent,
  };
}

test('while a cluster cannot apply an edit, every report shows it and why, and all are good afterwards', async () => {
  await using fleet = await running();
  let last: Said | undefined;
  const eventuallySays = async (what: string, said: Said): Promise<void> => {
    await eventually(
      what,
      async () => {
        last = await saidBy(fleet);
        return JSON.stringify(last) === JSON.stringify(said);
      },
      { seen: () => [last, said] },
    );
  };
  await eventuallySays('all is well', WELL);
  for (const [position, { what, begin, said }] of ROWS.entries()) {
    const end = begin(fleet);
    // Applied outputs stay applied, whatever happens to the cluster: only the edit is missing.
    await eventually(`${what}: it is known`, async () => {
      const { state, cluster } = await saidBy(fleet);
      return JSON.stringify([state, cluster]) === JSON.stringify([said.state, said.cluster]);
    });
    fleet.broadcast(POLICY, { ...(POLICY.spec as object), policy: { requestTimeout: `${position + 10}s` } });
    await eventuallySays(what, said);
    end();
    await eventuallySays(`no more: ${what}`, WELL);
  }
});

test('a restarted server that has not synced a cluster reports that it sends nothing, on clusters and by explain', async () => {
  await using management = await ManagementCluster.start(['c1', 'c2'], [POLICY]);
  const agents = [1, 2].map((index) => new ScriptedAgent().push(...istioCluster(`c${index}`, index)));
  await using cleanup = new AsyncDisposableStack();
  for (const agent of agents) cleanup.use(agent);
  const dials: Dial[] = [];
  {
    await using server = await management.startServer();
    for (const [index, agent] of agents.entries()) {
      const dial = await management.enrol(server, `c${index + 1}`);
      dials.push(dial);
      agent.connect(dial);
    }
    const synced = (name: string) =>
      management.live<KubernetesClusterStatus>(kubernetesCluster(name))?.status?.firstSyncTime !== undefined;
    await eventually('both are known, and all is well', async () => {
      const { policy } = await saidBy({ management, server });
      return policy.join() === WELL.policy.join() && synced('c1') && synced('c2');
    });
    for (const agent of agents) agent.disconnect();
  }
  const server = cleanup.use(await management.startServer());
  agents[0]?.connect({ ...(dials[0] as Dial), port: server.relayPort });
  const missing = 'outputs are not sent to any cluster until all inputs are synced again; missing: cluster c2';
  let last: Said | undefined;
  await eventually(
    'it says so',
    async () => {
      last = await saidBy({ management, server });
      return last.notSent === missing && last.cluster[1] === 'OutputsCurrent False SafeMode';
    },
    { seen: () => last },
  );
  const { conditions } = (await api(server, '/explain/TrafficPolicy/meshrelay/slow')) as PolicyExplanation;
  assert.equal(words(conditions), ['Applied Unknown SafeMode']);
  agents[1]?.connect({ ...(dials[1] as Dial), port: server.relayPort });
  await eventually(
    'no more',
    async () => JSON.stringify(await saidBy({ management, server })) === JSON.stringify(WELL),
    {
      seen: () => last,
    },
  );
});

const XDS_CONFIG = definitionOf('XdsConfig');
const XDS_ID = 'agent.meshrelay.dev/v1alpha1/XdsConfig/meshrelay/of-reviews';

/** A mesh of Envoys that agents configure. */
const ENVOYS = loadPlugins([
  {
    module: 'envoys',
    plugin: defineMeshPlugin({
      ...testMesh,
      writes: [...testMesh.writes, XDS_CONFIG],
      translateDestination({ destination: { cluster }, routes }, out) {
        const timeout = routes.find(({ actions }) => actions.timeoutMs !== undefined)?.actions.timeoutMs;
        if (timeout === undefined) return;
        const own = { namespace: 'bookinfo', serviceAccount: 'reviews', workload: 'reviews' };
        const spec = {
          proxies: [{ ...own, listeners: ['reviews'], clusters: [] }],
          resources: [{ type: 'virtualHost', name: 'reviews', value: { timeout: `${timeout.value}ms` } }],
        };
        const metadata = { name: 'of-reviews', namespace: 'meshrelay' };
        out.emit(cluster, { apiVersion: apiVersionOf(XDS_CONFIG), kind: 'XdsConfig', metadata, spec }, timeout.from);
      },
    }),
  },
]);

/**
 * What an agent's leader reports while an Envoy or a follower is frozen. The streams of frozen Envoys stay open, and so
 * does the agent's own.
 */
const FROZEN: ReadonlyArray<{
  readonly what: string;
  readonly note: Pick<XdsAcknowledgement, 'waiting' | 'silentReplicas'>;
  readonly message: string;
}> = [
  {
    what: 'the Envoy of a workload',
    note: { waiting: [{ namespace: 'bookinfo', name: 'reviews', count: 1 }], silentReplicas: [] },
    message: 'Envoys in c1 have not acknowledged this policy yet; waiting for those of c1/bookinfo/reviews (1)',
  },
  {
    what: 'a follower of the agent',
    note: { waiting: [], silentReplicas: ['agent-1'] },
    message:
      'Envoys in c1 have not acknowledged this policy yet; replicas of the agent that do not report their Envoys: c1/agent-1',
  },
];

test('while Envoys or a follower of the agent are frozen the cluster is good, and the policy and explain name who is late', async () => {
  await using management = await ManagementCluster.start(['c1'], [POLICY]);
  await using server = await management.startServer({}, ENVOYS);
  const kind = { group: XDS_CONFIG.group, version: XDS_CONFIG.version, kind: XDS_CONFIG.kind };
  using agent = new ScriptedAgent(1, [...PUSHED_KINDS, kind], [...APPLIED_KINDS, kind]);
  agent.push(...istioCluster('c1', 1)).connect(await management.enrol(server, 'c1'));
  let generation = 0;
  const answered = (note: Partial<XdsAcknowledgement>): void => {
    const object = agent.applied.get(XDS_ID) as KubeObject;
    const acknowledgement = { generation, waiting: [], disconnected: [], silentReplicas: [], ...note };
    const metadata = { ...object.metadata, generation };
    agent.push({ ...object, metadata, status: { acknowledgement } } as unknown as KubeObject);
  };
  const timeoutSent = () => JSON.stringify(agent.applied.get(XDS_ID)?.spec).match(/"timeout":"(\d+)ms"/)?.[1];
  const said = async () => {
    const { state, cluster } = await saidBy({ management, server });
    const { conditions } = (await api(server, '/explain/TrafficPolicy/meshrelay/slow')) as PolicyExplanation;
    const own = management.live<PolicyStatus>(POLICY)?.status?.conditions ?? [];
    const applied = [own, conditions].map((all) => all.find(({ type }) => type === 'Applied'));
    return [state, ...cluster, ...applied.map((one) => [one?.status, one?.reason, one?.message].join(' '))];
  };
  let last: readonly unknown[] = [];
  const eventuallySays = (what: string, condition: string): Promise<unknown> =>
    eventually(
      what,
      async () => {
        last = await said();
        return last.join() === [WELL.state, ...WELL.cluster, condition, condition].join();
      },
      { seen: () => last },
    );
  for (const [position, { what, note, message }] of FROZEN.entries()) {
    const seconds = 10 + position;
    const spec = { ...(POLICY.spec as object), policy: { requestTimeout: `${seconds}s` } };
    management.update({ ...(management.live(POLICY) as KubeObject), spec } as KubeObject);
    await eventually('the agent has the edit', () => timeoutSent() === `${seconds}000`, { seen: timeoutSent });
    generation += 1;
    answered({ generation: generation - 1, ...note });
    await eventuallySays(`${what} is frozen`, `False ProxiesPending ${message}`);
    answered({});
    await eventuallySays(`${what} runs again`, 'True Applied applied in c1');
  }
});

const SINCE = new Date('2030-01-01T00:00:00Z');
const REF = { kind: 'TrafficPolicy', cluster: MANAGEMENT_CLUSTER, namespace: 'meshrelay', name: 'slow' } as const;
const WORD = {
  refused: [],
  record: {
    cluster: 'c1',
    replica: 'server-1',
    connected: true,
    term: 1,
    program: 'agent/1',
    capabilities: [],
    inputs: { complete: true, lag: 0, missing: [], missingCount: 0 },
    outputs: { lag: 0, refused: 0, behind: [] },
  },
} satisfies ClusterAnnouncement;

/** A replica that knows of the cluster only by another replica's announcements. */
async function byWords() {
  const fleet = newFleet();
  await fleet.write((transaction, fleetState) => {
    for (const object of [CLUSTER, POLICY]) setObject(transaction, fleetState, MANAGEMENT_CLUSTER, object);
    for (const object of istioCluster('c1', 1)) setObject(transaction, fleetState, 'c1', object);
  });
  const state = { staleSince: undefined as Date | undefined };
  const connections = new Connections(
    () => SINCE,
    () => state.staleSince,
  );
  const outcomes = new PolicyOutcomes({
    fleet,
    connections,
    rejections: new PolicyRejections(fleet.controlPlane, connections),
    outputs: { begun: true, hashOf: () => undefined },
    vector: () => new Map(),
    digests: () => new Map(),
    safeMode: () => ({
      active: false,
      unsyncedKinds: [],
      unsyncedClusters: [],
      pendingClusters: [],
      unsyncedSuspendedClusters: [],
    }),
  });
  outcomes.waitNoLonger();
  connections.onPeerAnnouncement('c1', WORD);
  const said = () => {
    const unheard = connections.unheard('c1');
    const facts = fleet.fleetState.clusters.get(key('c1'));
    const evaluated = fleet.controlPlane.statuses.get(policyKey(REF));
    if (facts === undefined || evaluated === undefined) throw new Error('the fleet is not known');
    const connection = connections.of('c1');
    return {
      state: clusterState(facts, connection, { synced: true, unheard: unheard !== undefined }),
      cluster: words(clusterConditions(connections.announcementOfPeer('c1')?.record, { unheard })),
      policy: words(outcomes.statusOf(evaluated).conditions),
    };
  };
  return { connections, state, said };
}

test('nothing is claimed about a cluster at a silent replica, and the replica or Redis is named', async () => {
  const { connections, state, said } = await byWords();
  const well = { state: 'CONNECTED', cluster: WELL.cluster, policy: ['Applied False InProgress'] };
  assert.equal(said(), well);
  const unknown = (reason: string) => ({
    state: 'UNKNOWN',
    cluster: [`Connected Unknown ${reason}`, `OutputsCurrent Unknown ${reason}`],
    policy: [`Applied Unknown ${reason}`, `Stale True ${reason}`],
  });
  state.staleSince = SINCE;
  assert.equal(said(), unknown('StoreUnreachable'));
  state.staleSince = undefined;
  assert.equal(said(), well);
  connections.onPeerAnnouncement('c1', undefined);
  assert.equal(said(), unknown('ReplicaSilent'));
  assert.equal(connections.unheard('c1'), { silentReplica: 'server-1', since: SINCE });
  connections.onPeerAnnouncement('c1', { ...WORD, record: { ...WORD.record, replica: 'server-2' } });
  assert.equal(said(), well);
  const gone = { ...WORD.record, replica: 'server-2', connected: false, connectedAt: '' };
  const { connectedAt: _, ...left } = gone;
  connections.onPeerAnnouncement('c1', { ...WORD, record: left });
  connections.onPeerAnnouncement('c1', undefined);
  assert.is(said().state, 'DISCONNECTED', 'no replica waits for one that ended after its agents had left');
});

test('a replica that becomes silent is named even if another has an older announcement of the cluster', async () => {
  const { connections, said } = await byWords();
  const { connectedAt: _, ...before } = { ...WORD.record, replica: 'server-2', connected: false, connectedAt: '' };
  const older = { ...WORD, record: before };
  connections.onPeerAnnouncement('c1', WORD, ['server-1', 'server-2']);
  connections.onPeerAnnouncement('c1', older, ['server-2']);
  assert.is(said().state, 'UNKNOWN');
  assert.equal(connections.unheard('c1'), { silentReplica: 'server-1', since: SINCE });
  connections.onPeerAnnouncement('c1', undefined, []);
  assert.is(connections.unheard('c1')?.silentReplica, 'server-1', 'the older word goes, and says nothing by that');
  connections.onPeerAnnouncement('c1', older, ['server-1', 'server-2']);
  assert.is(said().state, 'DISCONNECTED', 'the replica is back, and its agent has left it');
});

test.run();
