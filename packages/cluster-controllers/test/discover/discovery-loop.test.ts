/** Discovery's commits: a failed one rejects the caller's write, and one that breaks the graph ends the leader term. */
import { GraphError, type LoadedPlugin } from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { TEST_PLUGINS } from '@meshrelay/test-mesh';
import { assert, test } from '@meshrelay/testing';
import { DiscoveryLoop, type DiscoveryWrite } from '../../src/discover/discovery-loop.ts';

function loop() {
  const sent: Error[] = [];
  const discovery = new DiscoveryLoop({
    cluster: 'c1',
    plugins: [],
    now: () => 0,
    logger: createLogger({ name: 'test', level: 'error' }),
    broken: (error) => sent.push(error),
  });
  return { discovery, sent };
}

function failing(error: Error): DiscoveryWrite {
  return () => {
    throw error;
  };
}

test('a write that throws fails, and the next one succeeds', async () => {
  const { discovery, sent } = loop();
  const [failed] = await Promise.allSettled([discovery.write(failing(new Error('poison')))]);
  assert.is(failed?.status, 'rejected');
  await discovery.write(() => undefined);
  assert.equal(sent, []);
});

test('a fault of the graph itself ends the leader term', async () => {
  const { discovery, sent } = loop();
  const fault = new GraphError('GRAPH_E_BROKEN', 'a commit broke off');
  const [failed] = await Promise.allSettled([discovery.write(failing(fault))]);
  assert.is(failed?.status, 'rejected');
  assert.equal(sent, [fault]);
});

test('a plugin whose discovery fails is named in the log and for the server, and the loop runs', async () => {
  const lines: string[] = [];
  const { plugin } = TEST_PLUGINS[0] as LoadedPlugin;
  const broken = {
    ...plugin,
    name: 'broken',
    discover: () => {
      throw new Error(`boom${'!'.repeat(500)}`);
    },
  };
  const discovery = new DiscoveryLoop({
    cluster: 'c1',
    plugins: [...TEST_PLUGINS, { plugin: broken, settings: undefined }],
    now: () => 0,
    logger: createLogger({ name: 'test', level: 'error', destination: { write: (line) => lines.push(line) } }),
    broken: (error) => assert.unreachable(error.message),
  });
  const [failed = ''] = discovery.failedPlugins;
  assert.match(failed, /^broken: boom!+$/);
  assert.ok(failed.length <= 208, 'a reason is bounded');
  const [line = '{}'] = lines;
  assert.is((JSON.parse(line) as { plugin?: string }).plugin, 'broken');
  await discovery.write(() => undefined);
});

test.run();
