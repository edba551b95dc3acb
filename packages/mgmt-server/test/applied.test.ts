/** Applied conditions of policies through the whole server: whether every cluster has its outputs. */
import type { Condition, PolicyStatus } from '@meshrelay/api';
import { assert, eventually, test } from '@meshrelay/testing';
import { istioCluster, timeoutPolicy } from './support/discovered.ts';
import { ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

const ROUTE = 'networking.istio.io/v1/VirtualService/bookinfo/meshrelay-reviews';

async function oneCluster() {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(['c1']));
  const server = cleanup.use(await management.startServer());
  const agent = cleanup.use(new ScriptedAgent().push(...istioCluster('c1', 1)));
  const dial = await management.enrol(server, 'c1');
  agent.connect(dial);
  const slow = timeoutPolicy('slow', 'c1');
  const status = (): PolicyStatus | undefined => management.live<PolicyStatus>(slow)?.status;
  const condition = (type: string): Condition | undefined => status()?.conditions.find((one) => one.type === type);
  const eventuallyIs = (what: string, type: string, ...desired: readonly (string | undefined)[]) =>
    eventually(
      what,
      () => {
        const found = condition(type);
        return JSON.stringify([found?.status, found?.reason].slice(0, desired.length)) === JSON.stringify(desired);
      },
      { seen: status },
    );
  return {
    management,
    agent,
    dial,
    slow,
    status,
    condition,
    eventuallyIs,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

test('Applied is True once the agent has accepted the output', async () => {
  await using fleet = await oneCluster();
  const { management, slow, condition, eventuallyIs } = fleet;
  management.create(slow);
  await eventuallyIs('it is applied', 'Applied', 'True', 'Applied');
  assert.is(condition('Applied')?.message, 'applied in c1');
  assert.match(condition('Applied')?.lastTransitionTime ?? '', /^\d{4}-.*Z$/);
  assert.is(condition('Stale'), undefined);
});

test('Applied is False while the agent rejects the output', async () => {
  await using fleet = await oneCluster();
  const { management, agent, slow, status, condition, eventuallyIs } = fleet;
  agent.refuses.set(ROUTE, 'the API server says no');
  management.create(slow);
  await eventuallyIs('it is refused', 'Applied', 'False', 'OutputsRejected');
  assert.is(status()?.state, 'FAILED');
  assert.match(
    condition('Applied')?.message ?? '',
    'VirtualService bookinfo/meshrelay-reviews could not be applied in cluster c1: the API server says no',
  );
  agent.refuses.clear();
  agent.resync();
  await eventuallyIs('it is taken', 'Applied', 'True');
  await eventually('it is accepted', () => status()?.state === 'ACCEPTED');
});

test('a disconnected cluster makes the policy Stale and Applied Unknown, until it reconnects', async () => {
  await using fleet = await oneCluster();
  const { management, agent, dial, slow, condition, eventuallyIs } = fleet;
  management.create(slow);
  await eventuallyIs('it is applied', 'Applied', 'True');
  agent.disconnect();
  await eventuallyIs('the cluster is away', 'Stale', 'True', 'Disconnected');
  assert.match(condition('Stale')?.message ?? '', /the status of cluster c1 is of \d{4}-\d\d-\d\dT\S+Z/);
  assert.is(condition('Applied')?.status, 'True', 'the cluster had taken all of it');
  management.create(timeoutPolicy('slow-too', 'c1'));
  // The object has another source policy now, so its content differs.
  await eventuallyIs('the status is unknown', 'Applied', 'Unknown', 'Disconnected');
  agent.connect(dial);
  await eventuallyIs('it is applied again', 'Applied', 'True');
  await eventuallyIs('the cluster is back', 'Stale', undefined);
});

test('a policy of a workload cluster: its agent gets its status, and no status after its deletion', async () => {
  await using fleet = await oneCluster();
  const { agent } = fleet;
  const own = timeoutPolicy('own', 'c1');
  const id = 'agent.meshrelay.dev/v1alpha1/ObjectStatus/meshrelay/trafficpolicy.own';
  const given = () => (agent.applied.get(id)?.spec as { status: PolicyStatus } | undefined)?.status;
  agent.push(own);
  await eventually(
    'the agent reports that all is applied',
    () => given()?.conditions.some(({ type, status }) => type === 'Applied' && status === 'True'),
    { seen: () => [given(), [...agent.applied.keys()]] },
  );
  assert.is(given()?.state, 'ACCEPTED');
  agent.remove(own);
  await eventually('its status goes with it', () => !agent.applied.has(id), { seen: () => [...agent.applied.keys()] });
});

test.run();
