/** Traces of an agent: its pushed and applied changes join the traces that contain the server's spans. */
import { traceOf } from '@meshrelay/telemetry';
import { output, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, test } from '@meshrelay/testing';
import { register, startReplica } from './harness/agents.ts';
import { CLUSTER, TestAuthority, TestRelay } from './harness/relay.ts';

const authority = await TestAuthority.create();

test('an acknowledged delta and an applied batch have spans with the names of their inputs', async () => {
  await using cluster = await TestCluster.start();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay);
  const spans = (name: string) => agent.tracer.spans.filter((span) => span.name === name);
  const pushed = await eventually('a delta is answered', () => spans('push.delta')[0]);
  const { input } = pushed.attributes;
  assert.match(String(input), new RegExp(`^${CLUSTER}/1/\\d+$`));
  assert.equal([pushed.parent, pushed.failed], [traceOf(String(input)), false]);

  relay.commit({ upserts: [output('VirtualService', 'reviews', { hosts: ['a'] })] });
  await eventually('something is applied', () => spans('apply.outputs')[0]);
  relay.commit({ upserts: [output('VirtualService', 'reviews', { hosts: ['b'] })] });
  const applied = await eventually('the change is applied', () =>
    spans('apply.outputs').find(({ attributes: { upserts, inputs } }) => upserts === 1 && inputs !== ''),
  );
  const [first = ''] = String(applied.attributes['inputs']).split(' ');
  assert.match(first, /^\S+\/\d+\/\d+$/);
  assert.equal(applied.parent, traceOf(first));
  assert.equal([applied.attributes['refused'], applied.failed], [0, false]);
  const lines = agent.log.of('outputs arrived');
  assert.ok(
    lines.some((line) => String(line['inputs']).includes(first)),
    'the log names the same input',
  );
});

test.run();
