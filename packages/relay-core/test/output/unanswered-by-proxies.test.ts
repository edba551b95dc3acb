/** A policy is not applied until Envoys have answered its objects: the answers that agents record, by policy. */
import type { KubeObject, XdsAcknowledgement } from '@meshrelay/api';
import { type Key, key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../src/graph/graph.ts';
import { withoutNoise } from '../../src/input/noise.ts';
import { unansweredByProxies } from '../../src/output/unanswered-by-proxies.ts';
import { Packed } from '../../src/packed/packed.ts';
import type { PresentObject } from '../../src/store/fleet-state.ts';
import type { PackedOutput } from '../../src/translate/packed-output.ts';

const at = (name: string): Key => key('c1', 'agent.meshrelay.dev', 'XdsConfig', 'meshrelay', name);
const policy = (name: string) => ({ kind: 'TrafficPolicy', name, namespace: 'shop', cluster: '' });
const ANSWERED: XdsAcknowledgement = { generation: 1, waiting: [], disconnected: [], silentReplicas: [] };
const DESK = { namespace: 'shop', name: 'desk', count: 1 };
/** Spec for a workload whose Envoys start from it. */
const starting = { proxies: [{ listeners: ['inbound'] }] };

interface Put {
  readonly generation?: number;
  readonly spec?: object;
  /** The desired spec, if it differs. */
  readonly required?: object;
  readonly nacked?: object;
}

function fleet() {
  const graph = createGraph();
  const present = graph.source<PresentObject>('present');
  const desired = graph.source<PackedOutput>('desired');
  const unanswered = unansweredByProxies(graph, { present, desired });
  const put = (
    name: string,
    acknowledgement: Partial<XdsAcknowledgement> | undefined,
    { generation = 1, spec = {}, required = spec, nacked = {} }: Put = {},
  ) => {
    const object = withoutNoise({
      apiVersion: 'agent.meshrelay.dev/v1alpha1',
      kind: 'XdsConfig',
      metadata: { name, namespace: 'meshrelay', generation },
      spec,
      status: {
        nacked,
        ...(acknowledgement === undefined ? {} : { acknowledgement: { ...ANSWERED, ...acknowledgement } }),
      },
    } as unknown as KubeObject);
    const retained = new Packed({ object: { spec: required } }, { sourcePolicies: [policy(`for-${name}`)] });
    graph.commit((transaction) => {
      transaction.set(desired, at(name), retained as unknown as PackedOutput);
      transaction.set(present, at(name), { cluster: 'c1', object: { value: object } } as unknown as PresentObject);
    });
  };
  const found = () =>
    [...unanswered.entries()]
      .map(
        ([
          ,
          {
            policy: { name },
            pending,
            nacked,
            disconnected,
          },
        ]) => [name, { pending, nacked, disconnected }],
      )
      .sort();
  return { put, found };
}

const reported = (more: object) => ({ pending: false, nacked: false, disconnected: [], ...more });

test('an object is not applied until its agent reports that Envoys have answered its current generation', () => {
  const { put, found } = fleet();
  put('one', undefined);
  assert.equal(found(), [['for-one', reported({ pending: true })]], 'no Envoy was queried yet');
  put('one', {});
  assert.equal(found(), []);
  put('one', {}, { generation: 2 });
  assert.equal(found(), [['for-one', reported({ pending: true })]]);
  put('one', { generation: 2 }, { generation: 2, required: { resources: [] } });
  assert.equal(found(), [['for-one', reported({ pending: true })]], 'they have answered what was desired before');
});

test('a disconnected Envoy is reported on the policies of its workload, and on those of objects for every Envoy', () => {
  const { put, found } = fleet();
  put('desk', { disconnected: [DESK] }, { spec: starting });
  put('other', {}, { spec: starting });
  put('service', {});
  assert.equal(found(), [
    ['for-desk', reported({ disconnected: [DESK] })],
    ['for-service', reported({ disconnected: [DESK] })],
  ]);
  put('desk', {}, { spec: starting });
  assert.equal(found(), []);
});

test('a rejected object is answered, but not applied', () => {
  const { put, found } = fleet();
  put('one', {}, { nacked: { 'agent-0': { observedGeneration: 1, observedTime: '', count: 1, resources: [] } } });
  assert.equal(found(), [['for-one', reported({ nacked: true })]]);
});

test.run();
