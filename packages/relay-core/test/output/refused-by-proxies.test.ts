/** What Envoys refuse is told to the policies behind the object, and to nobody once they take it. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../src/graph/graph.ts';
import { key } from '../../src/graph/key.ts';
import { withoutNoise } from '../../src/input/noise.ts';
import type { KeptObject } from '../../src/output/kept-object.ts';
import { refusedByProxies } from '../../src/output/refused-by-proxies.ts';
import type { PresentObject } from '../../src/store/world.ts';

const AT = key('c1', 'agent.meshrelay.dev', 'XdsConfig', 'meshrelay', 'of-reviews');
const policy = (name: string) => ({ kind: 'TrafficPolicy', name, namespace: 'shop', cluster: '' });
const target = { kind: 'Destination', key: key('c1', 'shop', 'reviews') } as const;
const kept = { because: [policy('one'), policy('two')] } as unknown as KeptObject;

function told(status: object | undefined, generation = 1): PresentObject {
  const object = withoutNoise({
    apiVersion: 'agent.meshrelay.dev/v1alpha1',
    kind: 'XdsConfig',
    metadata: { name: 'of-reviews', namespace: 'meshrelay', generation },
    spec: {},
    status,
  } as unknown as KubeObject);
  return { cluster: 'c1', object: { value: object } } as unknown as PresentObject;
}

const refusal = (message: string, by?: string) => ({
  observedGeneration: 1,
  seenAt: '2026-01-01T00:00:00Z',
  count: 1,
  resources: [{ type: 'cluster', name: 'reviews', message, ...(by && { by }) }],
});

function world() {
  const graph = createGraph();
  const present = graph.source<PresentObject>('present');
  const desired = graph.source<KeptObject>('desired');
  const verdicts = refusedByProxies(graph, { present, desired }, () => target);
  const say = (status: object | undefined, generation?: number) => {
    graph.commit((transaction) => {
      transaction.set(desired, AT, kept);
      transaction.set(present, AT, told(status, generation));
    });
    return [...verdicts.entries()].map(
      ([
        ,
        {
          policy: { name },
          state,
          reports,
        },
      ]) => ({
        name,
        state,
        messages: reports.map(({ code, message }) => `${code}: ${message}`),
      }),
    );
  };
  return { say };
}

test('the policies behind the object have failed, with Envoy’s words, once however many replicas say it', () => {
  const { say } = world();
  const refused = {
    'agent-0': refusal('bad address', 'shop/reviews'),
    'agent-1': refusal('bad address', 'shop/reviews'),
  };
  const message =
    'REFUSED_BY_PROXY: Envoys of ServiceAccount shop/reviews refuse the cluster reviews in cluster c1, and what was there before stays: bad address';
  assert.equal(say({ refused }), [
    { name: 'one', state: 'FAILED', messages: [message] },
    { name: 'two', state: 'FAILED', messages: [message] },
  ]);
  assert.equal(say({}), [], 'they take it');
});

test('what was said of an earlier generation says nothing of this one', () => {
  const { say } = world();
  const refused = { 'agent-0': refusal('bad address') };
  assert.is(say({ refused }).length, 2);
  assert.equal(say({ refused }, 2), []);
});

test('that a replica repeats itself is no change', () => {
  const at = (seenAt: string) => told({ refused: { a: { ...refusal('x'), seenAt } } }).object.value;
  assert.equal(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:05:00Z'));
});

test.run();
