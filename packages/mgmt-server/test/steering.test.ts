/** Suspend, pause, drain, deregister, through the whole server; each is audited once. */
import type { KubeObject, KubernetesClusterStatus } from '@meshrelay/api';
import { CHANGED_BY_ANNOTATION, REQUEST_ANNOTATION } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import { istioCluster, kubernetesCluster, timeoutPolicy, virtualMesh } from './support/discovered.ts';
import { ManagementCluster } from './support/management.ts';
import { type Dial, ScriptedAgent } from './support/scripted-agent.ts';

const ROUTE = 'VirtualService';
const cluster = kubernetesCluster('c1');
const settings = (spec: object): KubeObject => ({
  apiVersion: 'admin.meshrelay.dev/v1alpha1',
  kind: 'Settings',
  metadata: { name: 'settings', namespace: 'meshrelay' },
  spec,
});

/** Reconnects whenever the server ends its pull stream, as agents do. */
function keepConnected(agent: ScriptedAgent, dial: Dial): void {
  agent.connect(dial);
  void agent.ended('pull').then((reason) => {
    if (reason?.code !== 'RELAY_E_UNAVAILABLE' || !/registration .* has changed/.test(reason.message)) return;
    agent.disconnect();
    keepConnected(agent, dial);
  });
}

async function served(...names: readonly string[]) {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(names));
  const server = cleanup.use(await management.startServer());
  const agents = new Map<string, ScriptedAgent>();
  for (const [index, name] of names.entries()) {
    const agent = cleanup.use(new ScriptedAgent().push(...istioCluster(name, index + 1)));
    keepConnected(agent, await management.enrol(server, name));
    agents.set(name, agent);
  }
  const [agent] = agents.values();
  assert.ok(agent !== undefined);
  const state = () => management.live<KubernetesClusterStatus>(cluster)?.status?.state;
  const say = (object: KubeObject, spec: object): void => {
    const live = management.live(object);
    assert.ok(live !== undefined);
    const annotations = { [CHANGED_BY_ANNOTATION]: 'alice', [REQUEST_ANNOTATION]: `r-${JSON.stringify(spec).length}` };
    management.update({ ...live, metadata: { ...live.metadata, annotations }, spec } as KubeObject);
  };
  const audited = (): string[] =>
    management
      .logged('audit')
      .map(({ action, cluster: of, by }) => `${action} ${of || 'fleet'} by ${by ?? 'agent'}`)
      .filter((line) => !/^(register|token-create|safe-mode-end) /.test(line));
  await eventually('all are connected', () => names.every((name) => agents.get(name)?.complete === true));
  return {
    management,
    server,
    agent,
    agents,
    state,
    broadcast: say,
    audited,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

test('a paused cluster keeps its objects until it is resumed; so does the fleet', async () => {
  await using fleet = await served('c1');
  const { management, agent, broadcast: say, audited } = fleet;
  say(cluster, { paused: true });
  await eventually('it is paused', () => management.live<KubernetesClusterStatus>(cluster)?.status?.paused === true);
  management.create(timeoutPolicy('slow', 'c1'));
  await eventually(
    'the policy is evaluated all the same',
    () => management.live<{ state: string }>(timeoutPolicy('slow', 'c1'))?.status?.state === 'ACCEPTED',
  );
  assert.equal(agent.names(ROUTE), []);
  say(cluster, {});
  await eventually('what changed meanwhile is sent', () => agent.names(ROUTE).length === 1);

  management.create(settings({}));
  say(settings({}), { paused: true });
  await eventually(
    'the fleet is paused',
    () => management.live<KubernetesClusterStatus>(cluster)?.status?.paused === true,
  );
  management.delete(timeoutPolicy('slow', 'c1'));
  await eventually('the policy is gone', () => management.live(timeoutPolicy('slow', 'c1')) === undefined);
  assert.is(agent.names(ROUTE).length, 1);
  say(settings({}), {});
  await eventually('it goes when the fleet is resumed', () => agent.names(ROUTE).length === 0);
  await eventually('all four are audited', () => audited().length === 4, { seen: audited });
  assert.equal(audited(), [
    'pause c1 by alice',
    'unpause c1 by alice',
    'pause fleet by alice',
    'unpause fleet by alice',
  ]);
});

test('a suspended cluster gets nothing, and is audited once, also when another server takes over', async () => {
  await using fleet = await served('c1');
  const { management, server, broadcast: say, state, audited } = fleet;
  say(cluster, { suspended: true });
  await eventually('it is suspended', () => state() === 'SUSPENDED', { seen: state });
  await eventually('that is audited', () => audited().length === 1);
  await server[Symbol.asyncDispose]();
  await using _other = await management.startServer({ replica: 'server-1' });
  await eventually('another leads', () => management.logged('this replica leads').length === 2);
  say(cluster, {});
  await eventually('it is resumed', () => state() !== 'SUSPENDED', { seen: state });
  await eventually('that is audited, too', () => audited().length >= 2, { seen: audited });
  assert.equal(audited(), ['suspend c1 by alice', 'resume c1 by alice']);
});

test('a drained cluster loses all generated objects; after its deregistration the others lose outputs derived from it', async () => {
  await using fleet = await served('c1', 'c2');
  const { management, agent, agents, broadcast: say, state, audited } = fleet;
  management.create(virtualMesh('vm', ['c1', 'c2']));
  const other = agents.get('c2') as ScriptedAgent;
  const ofC1 = (): string[] => other.names('ServiceEntry').filter((name) => name.includes('c1'));
  await eventually('c2 knows the services of c1', () => ofC1().length > 0, { seen: () => other.names('ServiceEntry') });
  await eventually('c1 has generated objects', () => agent.applied.size > 0);
  say(cluster, { draining: true });
  await eventually('everything goes from it', () => agent.applied.size === 0, {
    seen: () => [...agent.applied.keys()],
  });
  await eventually('it is drained', () => state() === 'DRAINED', { seen: state });
  assert.ok(ofC1().length > 0, 'the others still have theirs');
  management.delete(cluster);
  await eventually('the others lose theirs', () => ofC1().length === 0, { seen: ofC1 });
  assert.is(management.logged('no deletion is held now').length, 0, 'nothing was held');
  await eventually('that is audited', () => audited().length === 1, { seen: audited });
  assert.equal(audited(), ['deregister c1 by alice']);
  const ledgers = JSON.stringify(
    management.sim.objects.list({ apiVersion: 'admin.meshrelay.dev/v1alpha1', kind: 'Ledger' }, 'meshrelay'),
  );
  assert.not.match(ledgers, /"name":"c1","firstSyncTime"/);
});

test.run();
