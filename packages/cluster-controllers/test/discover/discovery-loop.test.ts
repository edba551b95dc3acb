/** Discovery's commits: a failed one rejects the caller's write, and one that breaks the graph ends the leader term. */
import { GraphError } from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
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

test.run();
