/** State of modules on Envoys: accepted, pending or rejected, counted by workload. */
import type { ProxyState } from '@meshrelay/envoy-api/server';
import { assert, test } from '@meshrelay/testing';
import { extensionAckStatus } from '../../src/data-plane/configuration/extension-ack-status.ts';
import type { DataPlane } from '../../src/data-plane/data-plane.ts';
import type { ExtensionState } from '../../src/wasm/extensions/filled-extensions.ts';

const MODULE = 'wasm/all/shop/auth/0';

function proxy(workload: string, more: Partial<ProxyState> = {}): ProxyState {
  return {
    namespace: 'shop',
    serviceAccount: 'sa',
    node: 'n',
    workload,
    accepted: 1,
    rejected: 0,
    rejections: [],
    requested: [MODULE],
    extensions: new Map(),
    answeredUpTo: undefined,
    uses: () => true,
    ...more,
  };
}

const has = (version: string) => ({ extensions: new Map([[MODULE, version]]) });
const refusing = {
  rejections: [{ type: 'extensionConfig', versions: new Map([[MODULE, '2']]), message: 'no' }],
} as unknown as Partial<ProxyState>;

function ackStatus(states: readonly ProxyState[], extension: ExtensionState = { version: '2' }) {
  const plane = {
    proxies: { states: () => [...states] },
    extensions: {
      state: (name: string) => (name === MODULE ? extension : undefined),
      objectsOf: (name: string) => (name === MODULE ? ['of-auth'] : []),
    },
  } as unknown as Pick<DataPlane, 'proxies' | 'extensions'>;
  return extensionAckStatus(plane);
}

test('each Envoy counts once: it accepted the current version, it did not yet, or it rejects it', () => {
  const states = [
    proxy('a', has('2')),
    proxy('b', has('1')),
    proxy('b'),
    proxy('c', { ...has('1'), ...refusing }),
    proxy('d', { requested: [] }),
  ];
  assert.equal(Object.fromEntries(ackStatus(states)), {
    'of-auth': {
      proxies: 4,
      pending: 2,
      failed: 1,
      workloads: [
        { namespace: 'shop', name: 'c', pending: 0, failed: 1 },
        { namespace: 'shop', name: 'b', pending: 2, failed: 0 },
      ],
    },
  });
});

test('a module that is being fetched is pending for all Envoys, an unavailable one has failed for all', () => {
  const states = [proxy('a', has('2')), proxy('b')];
  assert.is(ackStatus(states, {}).get('of-auth')?.pending, 2);
  assert.is(ackStatus(states, { version: '2', reason: 'no such host' }).get('of-auth')?.failed, 2);
});

test('an extension without a module is not reported', () => {
  assert.is(ackStatus([proxy('a', { requested: ['other'] })]).size, 0);
});

test('with any number of lagging workloads, the first are listed and all are counted', () => {
  const states = Array.from({ length: 40 }, (_, index) => proxy(`w${index}`));
  const sent = ackStatus(states).get('of-auth');
  assert.is(sent?.workloads.length, 20);
  assert.is(sent?.pending, 40);
});

test.run();
