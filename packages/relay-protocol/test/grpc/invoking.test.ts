/** Invoke over the agent's connection, with servers that offer it and servers that do not. */
import { assert, eventually, test } from '@meshrelay/testing';
import { CAPABILITIES, MACHINE_CAPABILITIES } from '../../src/capabilities.ts';
import { runRelayClient } from '../../src/grpc/relay-client.ts';
import { InvokeCaller } from '../../src/invoke/invoke-caller.ts';
import { InvokeResponder } from '../../src/invoke/invoke-responder.ts';
import type { AgentState } from '../../src/invoke/methods.ts';
import { PullReceiver } from '../../src/stream/pull-receiver.ts';
import { PushReceiver } from '../../src/stream/push-receiver.ts';
import { PushSender } from '../../src/stream/push-sender.ts';
import { KINDS } from '../link.ts';
import { Authority } from './authority.ts';
import { TestAgent, TestServer } from './fixture.ts';

const authority = await Authority.create();
const c1 = await authority.agent('c1');

for (const offers of [true, false]) {
  test(`a server that ${offers ? 'offers' : 'does not offer'} Invoke`, async () => {
    const callers: InvokeCaller[] = [];
    await using server = await TestServer.start(authority, {
      onPush: ({ cluster }) =>
        new PushReceiver({
          cluster,
          contentIndex: server.contentIndex.get(cluster) ?? new TestAgent(cluster).contentIndex,
          capabilities: offers ? CAPABILITIES : MACHINE_CAPABILITIES,
          sink: { accept: (batch) => server.fixture(cluster).take(batch) },
        }),
      ...(offers
        ? {
            onInvoke: ({ cluster }) => {
              const caller = new InvokeCaller({ cluster });
              callers.push(caller);
              return caller;
            },
          }
        : {}),
    });
    const agent = new TestAgent('c1');
    const stop = new AbortController();
    const states: string[] = [];
    const { sequence, table, contentIndex } = agent;
    const running = runRelayClient({
      connection: () => ({
        address: server.address,
        authority: 'relay.test',
        roots: authority.rootsPem,
        cluster: 'c1',
        clientCertificate: c1,
      }),
      push: (hooks) => new PushSender({ cluster: 'c1', sequence, table, kinds: KINDS, ...hooks }),
      pull: ({ onMove }) =>
        new PullReceiver({
          cluster: 'c1',
          term: 1,
          kinds: KINDS,
          contentIndex,
          applied: new Map(),
          onMove,
          applier: { apply: (batch) => agent.fixture.take(batch) },
        }),
      invoke: () => {
        const run = () => ({ cluster: 'c1' }) as AgentState;
        return new InvokeResponder({ cluster: 'c1', term: 1, handlers: { 'agent.state': { read: () => ({}), run } } });
      },
      signal: stop.signal,
      onState: ({ state }) => states.push(state),
    });
    await eventually('the agent to be connected', () => states.includes('connected'));
    if (offers) {
      await eventually('the invoke stream', () => server.relay.sessions().length === 3 && callers.length === 1);
      assert.equal(await callers[0]?.ask('agent.state', {}, { timeout: 10_000 }), { cluster: 'c1' });
    } else {
      await eventually('both streams', () => server.relay.sessions().length === 2);
      assert.not.ok(states.includes('waiting'));
    }
    stop.abort();
    await running;
    await eventually('no stream to be left', () => server.relay.sessions().length === 0);
  });
}

test.run();
