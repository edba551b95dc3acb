/**
 * Traces of the server: each input belongs to the trace that its agent uses, as do the agents that apply its outputs.
 */
import { traceOf } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { istioCluster, timeoutPolicy } from './support/discovered.ts';
import { ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

test('inputs of agents and of the management cluster are accepted in traces of their names', async () => {
  await using management = await ManagementCluster.start(['c1']);
  await using server = await management.startServer();
  using agent = new ScriptedAgent(7).push(...istioCluster('c1', 1));
  agent.connect(await management.enrol(server, 'c1'));
  const accepted = (input: RegExp) =>
    management.tracer.spans.find(
      ({ name, attributes }) => name === 'store.accept' && input.test(String(attributes['input'])),
    );
  const pushed = await eventually('its inputs are in', () => accepted(/^c1\/7\/\d+$/));
  assert.equal(pushed.parent, traceOf(String(pushed.attributes['input'])));
  assert.is(pushed.attributes['refused'], 0);
  assert.ok(management.logged('inputs arrived').some(({ input }) => input === pushed.attributes['input']));

  management.create(timeoutPolicy('slow', 'c1'));
  const version = management.live(timeoutPolicy('slow', 'c1'))?.metadata.resourceVersion;
  const written = await eventually('the policy is in', () => accepted(new RegExp(`^/TrafficPolicy/${version}/`)));
  const name = String(written.attributes['input']);
  assert.equal(written.parent, traceOf(name));
  await eventually('what the agent applied is of that input', () => {
    const component = agent.vector.get('/TrafficPolicy');
    return component !== undefined && component !== 'gone' && component.term >= Number(version);
  });
});

test.run();
