/** Calls to an agent through the HTTP API. */

import { Semaphore } from '@meshrelay/concurrency';
import { type Handlers, InvokeResponder } from '@meshrelay/relay-protocol';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, test } from '@meshrelay/testing';
import { createApi } from '../../src/http/api.ts';
import type { ApiContext } from '../../src/http/resources.ts';
import { AgentCallers } from '../../src/relay/agent-callers.ts';
import { Connections } from '../../src/relay/connections.ts';
import { kubernetesCluster } from '../support/discovered.ts';
import { declare, newFleet } from '../support/fleet.ts';

const fleet = newFleet();
await declare(fleet, kubernetesCluster('c1'));

/** Opens a cluster's invoke stream; messages pass as they come. */
function answering(agents: AgentCallers, handlers: Handlers): InvokeResponder {
  const caller = agents.open({ cluster: 'c1' });
  const agent = new InvokeResponder({ cluster: 'c1', term: 1, handlers });
  const pass = (): void =>
    queueMicrotask(() => {
      for (let up = agent.next(); up !== undefined; up = agent.next()) caller.receive(up);
      for (let down = caller.next(); down !== undefined; down = caller.next()) agent.receive(down);
    });
  for (const machine of [caller, agent])
    machine.drive({ ready: pass, fail: (error) => assert.unreachable(error.message) });
  pass();
  return agent;
}

async function ask(agents: AgentCallers, path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  // A new connection starts with its hello.
  await new Promise((resume) => setImmediate(resume));
  const connections = new Connections();
  const context = { fleet, agents, connections, safeMode: () => ({}) } as unknown as ApiContext;
  const app = createApi({
    context,
    programs: () => [],
    changes: { full: true } as never,
    logger: silentLogger,
    sampler: {} as never,
    logStreams: new Semaphore(1),
  });
  const response = await app.request(path, { headers: { host: 'localhost' } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('the answer has the state of the agent', async () => {
  const agents = new AgentCallers();
  const state = { cluster: 'c1', term: 7 } as never;
  answering(agents, { 'agent.state': { read: () => ({}), run: () => state } });
  const { status, body } = await ask(agents, '/api/v1/clusters/c1/agent');
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(body, { cluster: 'c1', term: 7 });
});

test('the answer reports an agent that cannot be called', async () => {
  const agents = new AgentCallers();
  assert.is((await ask(agents, '/api/v1/clusters/c1/agent')).status, 503);
  assert.is((await ask(agents, '/api/v1/clusters/c2/agent')).status, 404);
  const agent = answering(agents, {});
  const refused = await ask(agents, '/api/v1/clusters/c1/agent');
  assert.is(refused.status, 502);
  assert.is(refused.body['code'], 'RELAY_E_UNIMPLEMENTED');
  assert.match(String(refused.body['next']), /^Upgrade /);
  agent.end();
});

test.run();
