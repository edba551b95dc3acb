/** The leader records ACKs of Envoys on the objects once, and names the Envoys that do not respond or are missing. */
import type { XdsAcknowledgement, XdsWorkloadCount } from '@meshrelay/api';
import type { KubeConnection } from '@meshrelay/kube';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { Acknowledgements, type ReplicaEnvoys } from '../../src/data-plane/configuration/acknowledgements.ts';
import type { EnvoyAnswer } from '../../src/data-plane/configuration/envoy-answers.ts';
import type { SeenXdsObject } from '../../src/data-plane/configuration/xds-objects.ts';

const DESK: XdsWorkloadCount = { namespace: 'shop', name: 'desk', count: 1 };
const proxy = { namespace: 'shop', serviceAccount: 'desk', workload: 'desk', listeners: ['desk'], clusters: [] };

function noting() {
  const state = {
    said: [] as readonly ReplicaEnvoys[],
    pods: new Map<string, number>(),
    acknowledgement: undefined as XdsAcknowledgement | undefined,
    generation: 1,
    /** Objects of the last query. */
    requested: {} as Readonly<Record<string, number>>,
  };
  let [writes, at] = [0, 0];
  const seen = (): ReadonlyMap<string, SeenXdsObject> => {
    const { generation, acknowledgement } = state;
    const object = { uid: 'u', generation, step: 1, proxies: [proxy] };
    return new Map([['of-desk', acknowledgement === undefined ? object : { ...object, acknowledgement }]]);
  };
  const objects = () => ({
    mergeStatus: async (_key: object, status: { readonly acknowledgement: XdsAcknowledgement }) => {
      writes += 1;
      state.acknowledgement = status.acknowledgement;
    },
  });
  const acknowledgements = new Acknowledgements({
    connection: { objects } as unknown as KubeConnection,
    namespace: 'meshrelay',
    seen,
    ask: async (question) => {
      state.requested = question.objects;
      return state.said;
    },
    pods: () => state.pods,
    check: () => {},
    // Only sleep advances time.
    clock: {
      now: () => at,
      sleep: async (milliseconds, signal) => {
        if (signal?.aborted) return;
        at += milliseconds;
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    logger: silentLogger,
  });
  return { state, acknowledgements, writes: () => writes };
}

function answer(replica: string, more: Partial<EnvoyAnswer> = {}): ReplicaEnvoys {
  return { replica, answer: { unseen: [], waiting: {}, connected: [], ...more } };
}

test('an object counts as acknowledged when the Envoys of all replicas have; then it is neither queried nor written', async () => {
  const { state, acknowledgements, writes } = noting();
  await using _ = acknowledgements;
  state.said = [answer('agent-0'), answer('agent-1', { waiting: { 'of-desk': [DESK] } })];
  await eventually('the late ones are named', () => state.acknowledgement?.waiting.length === 1);
  assert.equal(state.acknowledgement, { generation: 0, waiting: [DESK], disconnected: [], silentReplicas: [] });
  state.said = [answer('agent-0'), answer('agent-1')];
  await eventually('all have answered', () => state.acknowledgement?.generation === 1);
  const before = writes();
  await eventually('nothing is asked about', () => Object.keys(state.requested).length === 0);
  state.generation = 2;
  await eventually('the next generation is answered', () => state.acknowledgement?.generation === 2);
  assert.is(writes(), before + 1);
});

test('a replica that does not answer, or has not observed the object, is named, and nothing counts as acknowledged', async () => {
  const { state, acknowledgements } = noting();
  await using _ = acknowledgements;
  state.said = [answer('agent-0', { unseen: ['of-desk'] }), { replica: 'agent-1' }];
  await eventually('they are named', () => state.acknowledgement?.silentReplicas.join() === 'agent-0,agent-1');
  assert.is(state.acknowledgement?.generation, 0);
});

test('a workload with more pods than connected Envoys is named, until they connect', async () => {
  const { state, acknowledgements, writes } = noting();
  await using _ = acknowledgements;
  state.pods.set('shop/desk', 2);
  state.said = [answer('agent-0', { connected: [DESK] }), answer('agent-1')];
  await eventually('it is missed', () => state.acknowledgement?.disconnected.length === 1);
  assert.equal(state.acknowledgement?.disconnected, [DESK]);
  assert.is(writes(), 1, 'nothing counted as answered while it might yet connect');
  state.said = [answer('agent-0', { connected: [DESK] }), answer('agent-1', { connected: [DESK] })];
  await eventually('both are there', () => state.acknowledgement?.disconnected.length === 0);
});

test.run();
