/**
 * Objects show current rejections by Envoys: each replica writes its own, and the leader clears those of deleted
 * replicas.
 */
import type { XdsAckStatus, XdsNack, XdsNacks } from '@meshrelay/api';
import type { KubeConnection } from '@meshrelay/kube';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import type { ExtensionAckStatus } from '../../src/data-plane/configuration/extension-ack-status.ts';
import { ObjectStatuses } from '../../src/data-plane/configuration/object-statuses.ts';
import type { SeenXdsObject } from '../../src/data-plane/configuration/xds-objects.ts';

const WITHIN = { deadline: 60_000 };
const MINUTE = 60_000;
const bad: XdsNack = { type: 'cluster', name: 'reviews', message: 'no address', by: 'shop/reviews' };

function noting({ leads = false, nacked = {} as Record<string, XdsNacks> } = {}) {
  const state = {
    nacked: new Map<string, readonly XdsNack[]>(),
    ackStatus: new Map<string, ExtensionAckStatus>(),
    at: Date.UTC(2030, 0, 1),
    failing: false,
  };
  const object = {
    uid: 'u',
    generation: 3,
    step: 1,
    proxies: [],
    nacked,
    ackStatus: {} as Record<string, XdsAckStatus>,
  };
  const seen = new Map<string, SeenXdsObject>([['of-reviews', object]]);
  let writes = 0;
  const objects = () => ({
    mergeStatus: async (
      _key: object,
      status: Record<'nacked' | 'ackStatus', Record<string, object | null> | undefined>,
    ) => {
      if (state.failing) throw new Error('not now');
      writes += 1;
      for (const field of ['nacked', 'ackStatus'] as const) {
        const notes = object[field] as Record<string, object>;
        for (const [replica, sent] of Object.entries(status[field] ?? {})) {
          if (sent === null) delete notes[replica];
          else notes[replica] = sent;
        }
      }
    },
  });
  const statuses = new ObjectStatuses({
    connection: { objects } as unknown as KubeConnection,
    namespace: 'meshrelay',
    replica: 'agent-0',
    seen: () => seen,
    nacked: () => state.nacked,
    ackStatus: () => state.ackStatus,
    leads: () => leads,
    clock: {
      now: () => 0,
      sleep: (milliseconds, signal) =>
        milliseconds < MINUTE
          ? new Promise((resolve) => setImmediate(resolve))
          : new Promise((resolve) => {
              if (signal?.aborted) resolve();
              else signal?.addEventListener('abort', () => resolve(), { once: true });
            }),
    },
    now: () => new Date(state.at),
    logger: silentLogger,
  });
  const reconcile = async (what: string, holds: () => boolean) => {
    statuses.reconcile();
    await eventually(what, holds, WITHIN);
  };
  return { state, object, statuses, reconcile, writes: () => writes };
}

test('it is written once, repeated to confirm it, and removed when Envoys accept the resources', async () => {
  const { state, object, statuses, reconcile, writes } = noting();
  state.nacked.set('of-reviews', [bad]);
  await reconcile('it is noted', () => object.nacked['agent-0'] !== undefined);
  assert.equal(object.nacked['agent-0'], {
    observedGeneration: 3,
    count: 1,
    resources: [bad],
    observedTime: new Date(state.at).toISOString(),
  });
  assert.is(statuses.count, 1);
  state.at += MINUTE;
  await reconcile('it has looked', () => writes() === 1);
  state.at += 5 * MINUTE;
  await reconcile('it is repeated', () => writes() === 2);
  state.nacked.clear();
  await reconcile('it is taken back', () => object.nacked['agent-0'] === undefined);
  await statuses[Symbol.asyncDispose]();
  assert.is(writes(), 3);
});

test('the ACK status is written in addition, when it changes', async () => {
  const { state, object, statuses, reconcile, writes } = noting();
  const taken = { proxies: 2, pending: 0, failed: 0, workloads: [] };
  state.ackStatus.set('of-reviews', taken);
  await reconcile('it is noted', () => object.ackStatus['agent-0'] !== undefined);
  assert.equal(object.ackStatus['agent-0'], {
    observedGeneration: 3,
    observedTime: new Date(state.at).toISOString(),
    ...taken,
  });
  assert.equal(object.nacked, {});
  object.generation = 4;
  await reconcile('it is of the present generation', () => object.ackStatus['agent-0']?.observedGeneration === 4);
  state.nacked.set('of-reviews', [bad]);
  await reconcile('both stand there', () => object.nacked['agent-0'] !== undefined);
  assert.is(writes(), 3);
  state.ackStatus.clear();
  await reconcile('no proxy has to run it any more', () => object.ackStatus['agent-0'] === undefined);
  await statuses[Symbol.asyncDispose]();
  assert.equal(object.nacked, {});
});

test('a failed write is repeated later; at the end the entry is removed', async () => {
  const { state, object, statuses, reconcile } = noting();
  state.failing = true;
  state.nacked.set('of-reviews', [bad]);
  statuses.reconcile();
  state.failing = false;
  await reconcile('it is noted', () => object.nacked['agent-0'] !== undefined);
  await statuses[Symbol.asyncDispose]();
  assert.equal(object.nacked, {});
});

test('a leader clears entries that are not repeated any more; a follower leaves them', async () => {
  const old = (minutes: number): XdsNacks => ({
    observedGeneration: 3,
    observedTime: new Date(Date.UTC(2030, 0, 1) - minutes * MINUTE).toISOString(),
    count: 1,
    resources: [bad],
  });
  const nacked = () => ({ 'agent-1': old(10), 'agent-2': old(20), odd: { ...old(0), observedTime: 'never' } });
  const follower = noting({ nacked: nacked() });
  await follower.statuses[Symbol.asyncDispose]();
  assert.equal(Object.keys(follower.object.nacked), ['agent-1', 'agent-2', 'odd']);
  const leader = noting({ leads: true, nacked: nacked() });
  await leader.reconcile('the gone are cleared', () => Object.keys(leader.object.nacked).join() === 'agent-1');
  await leader.statuses[Symbol.asyncDispose]();
});

test.run();
