/**
 * The status that Envoys report for an object reaches its source policies: rejected resources, and the rollout of
 * extensions.
 */
import type { KubeObject } from '@meshrelay/api';
import { key, partsOf } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../src/graph/graph.ts';
import { withoutNoise } from '../../src/input/noise.ts';
import type { RunningWorkload } from '../../src/output/failing-workloads.ts';
import { proxyStatus } from '../../src/output/proxy-status.ts';
import { Packed } from '../../src/packed/packed.ts';
import type { PresentObject } from '../../src/store/fleet-state.ts';
import type { PackedOutput } from '../../src/translate/packed-output.ts';

const AT = key('c1', 'agent.meshrelay.dev', 'XdsConfig', 'meshrelay', 'of-reviews');
const policy = (name: string) => ({ kind: 'TrafficPolicy', name, namespace: 'shop', cluster: '' });
const target = { kind: 'Destination', key: key('c1', 'shop', 'reviews') } as const;
const retained = new Packed(
  { object: { spec: { resources: [], proxies: [] } } },
  { sourcePolicies: [policy('one'), policy('two')] },
) as unknown as PackedOutput;

function reported(status: object | undefined, generation = 1, spec: object = {}): PresentObject {
  const object = withoutNoise({
    apiVersion: 'agent.meshrelay.dev/v1alpha1',
    kind: 'XdsConfig',
    metadata: { name: 'of-reviews', namespace: 'meshrelay', generation },
    spec,
    status,
  } as unknown as KubeObject);
  return { cluster: 'c1', object: { value: object } } as unknown as PresentObject;
}

const rejection = (message: string, by?: string) => ({
  observedGeneration: 1,
  observedTime: '2026-01-01T00:00:00Z',
  count: 1,
  resources: [{ type: 'cluster', name: 'reviews', message, ...(by && { by }) }],
});

function fleetState(running: readonly RunningWorkload[] = []) {
  const graph = createGraph();
  const present = graph.source<PresentObject>('present');
  const desired = graph.source<PackedOutput>('desired');
  const { diagnostics, ackStatus } = proxyStatus(
    graph,
    { present, desired },
    { targetOf: () => target, workloadsRunning: () => running },
  );
  const say = (status: object | undefined, generation?: number) => {
    graph.commit((transaction) => {
      transaction.set(desired, AT, retained);
      transaction.set(present, AT, reported(status, generation));
    });
    return [...diagnostics.entries()].map(
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
      transaction.set(desired, AT, retained);
      transaction.set(present, AT, reported(status, generation, spec));
    });
    return [...ackStatus.entries()].map(([, { policy: of, ...rest }]) => [of.name, rest] as const);
  };
  /** The targets of the reports for the first policy, with the messages of the proxies. */
  const blamed = (status: object) => {
    say(status);
    return [...diagnostics.entries()]
      .map(([, diagnostic]) => diagnostic)
      .filter((diagnostic) => diagnostic.policy.name === 'one')
      .map((diagnostic) => [
        `${diagnostic.target.kind} ${partsOf(diagnostic.target.key).slice(1).join('/')}`,
        ...diagnostic.reports.map(({ message }) => message.split(' stays applied: ')[1] ?? message),
      ])
      .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  };
  return { say, taken, blamed };
}

test('the source policies of the object fail, with one message from Envoy for all replicas', () => {
  const { say } = fleetState();
  const nacked = {
    'agent-0': rejection('bad address', 'shop/reviews'),
    'agent-1': rejection('bad address', 'shop/reviews'),
  };
  const message =
    'REJECTED_BY_PROXY: Envoys of ServiceAccount shop/reviews reject cluster reviews in cluster c1, and the previous version stays applied: bad address';
  assert.equal(say({ nacked }), [
    { name: 'one', state: 'FAILED', messages: [message] },
    { name: 'two', state: 'FAILED', messages: [message] },
  ]);
  assert.equal(say({}), [], 'they take it');
});

test('a report about an earlier generation does not apply to this one', () => {
  const { say } = fleetState();
  const nacked = { 'agent-0': rejection('bad address') };
  assert.is(say({ nacked }).length, 2);
  assert.equal(say({ nacked }, 2), []);
});

const ackStatusOf = (workloads: readonly object[], { proxies = 3, pending = 0, failed = 0 } = {}) => ({
  observedGeneration: 1,
  observedTime: '2026-01-01T00:00:00Z',
  proxies,
  pending,
  failed,
  workloads,
});

test('the rollout of extensions is reported to their source policies, summed over all replicas', () => {
  const { taken, say } = fleetState();
  const behind = (pending: number, failed: number) => ({ namespace: 'shop', name: 'reviews-v1', pending, failed });
  const ackStatus = {
    'agent-0': ackStatusOf([behind(1, 0)], { pending: 1 }),
    'agent-1': ackStatusOf([behind(1, 1)], { proxies: 4, pending: 1, failed: 1 }),
  };
  const both = { cluster: 'c1', proxies: 7, pending: 2, failed: 1, workloads: [behind(2, 1)] };
  assert.equal(taken({ ackStatus }), [
    ['one', both],
    ['two', both],
  ]);
  assert.equal(say({ ackStatus }), [], 'that is not a rejection');
  assert.equal(taken({}), []);
});

test('a rejected module is reported on the workloads whose Envoys reject it, with the message of their ServiceAccount', () => {
  const account = (name: string): RunningWorkload => {
    return { workload: key('c1', 'shop', `${name}-deployment`), namespace: 'shop', name, serviceAccount: name };
  };
  const { blamed } = fleetState(['a', 'b', 'c'].map(account));
  const of = (name: string) => ({
    type: 'extensionConfig',
    name: 'wasm/auth',
    message: `no: ${name}`,
    by: `shop/${name}`,
  });
  const nacked = { 'agent-0': { ...rejection(''), count: 2, resources: [of('a'), of('c')] } };
  const fails = (name: string) => ({ namespace: 'shop', name, pending: 0, failed: 1 });
  const waits = { namespace: 'shop', name: 'b', pending: 1, failed: 0 };
  const ackStatus = { 'agent-0': ackStatusOf([fails('a'), fails('c'), waits], { pending: 1, failed: 2 }) };
  const failed = (name: string, ...words: string[]) => [`Workload shop/${name}-deployment`, ...words];
  assert.equal(blamed({ nacked, ackStatus }), [failed('a', 'no: a'), failed('c', 'no: c')]);
  const ofOne = { 'agent-0': { ...rejection(''), resources: [of('a')] } };
  assert.equal(
    blamed({ nacked: ofOne, ackStatus }),
    [failed('a', 'no: a'), failed('c', 'no: a')],
    'of too many rejections only the first are reported',
  );
  const { by: _, ...notSentToProxies } = of('unconnected');
  const unfetched = { 'agent-0': { ...rejection(''), resources: [notSentToProxies] } };
  assert.equal(
    blamed({ nacked: unfetched }),
    ['a', 'b', 'c'].map((name) => failed(name, 'no: unconnected')),
    'no Envoy is connected, so it is all of them',
  );
});

test('of very many workloads the first are reported; a rejection without workloads is reported on the target of the object', () => {
  const many = Array.from({ length: 30 }, (_, index): RunningWorkload => {
    const name = `w${String(index).padStart(2, '0')}`;
    return { workload: key('c1', 'shop', name), namespace: 'shop', name, serviceAccount: name };
  });
  const module = {
    ...rejection('no such host'),
    resources: [{ type: 'extensionConfig', name: 'wasm/auth', message: 'no such host' }],
  };
  const nacked = { 'agent-0': module };
  assert.is(fleetState(many).blamed({ nacked }).length, 20);
  assert.equal(fleetState().blamed({ nacked }), [['Destination shop/reviews', 'no such host']]);
  const both = { 'agent-0': { ...module, resources: [...module.resources, ...rejection('bad address').resources] } };
  assert.equal(fleetState(many.slice(0, 1)).blamed({ nacked: both }), [
    ['Destination shop/reviews', 'bad address'],
    ['Workload shop/w00', 'no such host'],
  ]);
});

test('proxies that accepted an earlier object, or another than the desired one, are pending for this one', () => {
  const { taken } = fleetState();
  const ackStatus = { 'agent-0': ackStatusOf([]) };
  const pending = { cluster: 'c1', proxies: 3, pending: 3, failed: 0, workloads: [] };
  assert.is(taken({ ackStatus })[0]?.[1].pending, 0);
  assert.equal(taken({ ackStatus }, 2)[0]?.[1], pending, 'of an earlier generation');
  assert.equal(taken({ ackStatus }, 1, { resources: [] })[0]?.[1], pending, 'the change is not there yet');
});

test('a repeated report of a replica is not a change', () => {
  const at = (observedTime: string) => reported({ nacked: { a: { ...rejection('x'), observedTime } } }).object.value;
  assert.equal(at('2026-01-01T00:00:00Z'), at('2026-01-01T00:05:00Z'));
});

test.run();
