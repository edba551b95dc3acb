/** What Envoys say of an object is told to the policies behind it: what they refuse, and how far they are with its extensions. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../src/graph/graph.ts';
import { key } from '../../src/graph/key.ts';
import { withoutNoise } from '../../src/input/noise.ts';
import type { KeptObject } from '../../src/output/kept-object.ts';
import { toldByProxies } from '../../src/output/told-by-proxies.ts';
import { Packed } from '../../src/packed/packed.ts';
import type { PresentObject } from '../../src/store/world.ts';

const AT = key('c1', 'agent.meshrelay.dev', 'XdsConfig', 'meshrelay', 'of-reviews');
const policy = (name: string) => ({ kind: 'TrafficPolicy', name, namespace: 'shop', cluster: '' });
const target = { kind: 'Destination', key: key('c1', 'shop', 'reviews') } as const;
const kept = new Packed(
  { object: { spec: { resources: [], proxies: [] } } },
  { because: [policy('one'), policy('two')] },
) as unknown as KeptObject;

function told(status: object | undefined, generation = 1, spec: object = {}): PresentObject {
  const object = withoutNoise({
    apiVersion: 'agent.meshrelay.dev/v1alpha1',
    kind: 'XdsConfig',
    metadata: { name: 'of-reviews', namespace: 'meshrelay', generation },
    spec,
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
  const { verdicts, uptake } = toldByProxies(graph, { present, desired }, () => target);
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
  const taken = (status: object, generation?: number, spec: object = { proxies: [], resources: [] }) => {
    graph.commit((transaction) => {
      transaction.set(desired, AT, kept);
      transaction.set(present, AT, told(status, generation, spec));
    });
    return [...uptake.entries()].map(([, { policy: of, ...rest }]) => [of.name, rest] as const);
  };
  return { say, taken };
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

const uptakeOf = (workloads: readonly object[], { proxies = 3, pending = 0, failed = 0 } = {}) => ({
  observedGeneration: 1,
  seenAt: '2026-01-01T00:00:00Z',
  proxies,
  pending,
  failed,
  workloads,
});

test('how far Envoys are with extensions is told to the policies behind them, of all replicas together', () => {
  const { taken, say } = world();
  const behind = (pending: number, failed: number) => ({ namespace: 'shop', name: 'reviews-v1', pending, failed });
  const uptake = {
    'agent-0': uptakeOf([behind(1, 0)], { pending: 1 }),
    'agent-1': uptakeOf([behind(1, 1)], { proxies: 4, pending: 1, failed: 1 }),
  };
  const both = { cluster: 'c1', proxies: 7, pending: 2, failed: 1, workloads: [behind(2, 1)] };
  assert.equal(taken({ uptake }), [
    ['one', both],
    ['two', both],
  ]);
  assert.equal(say({ uptake }), [], 'that is no refusal');
  assert.equal(taken({}), []);
});

test('who took an earlier object, or another than is wanted, has yet to take this one', () => {
  const { taken } = world();
  const uptake = { 'agent-0': uptakeOf([]) };
  const pending = { cluster: 'c1', proxies: 3, pending: 3, failed: 0, workloads: [] };
  assert.is(taken({ uptake })[0]?.[1].pending, 0);
  assert.equal(taken({ uptake }, 2)[0]?.[1], pending, 'of an earlier generation');
  assert.equal(taken({ uptake }, 1, { resources: [] })[0]?.[1], pending, 'the change is not there yet');
});

test('that a replica repeats itself is no change', () => {
  const at = (seenAt: string) => told({ refused: { a: { ...refusal('x'), seenAt } } }).object.value;
  assert.equal(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:05:00Z'));
});

test.run();
