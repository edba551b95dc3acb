/** Views contain the objects that decide which connections pods accept, where they matter and exist. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { BASE, WORKLOADS } from '../../support/base-fleet.ts';
import type { InboundRules, InboundView } from '../../support/core.ts';
import { fakePlugin } from '../../support/fake-plugin.ts';
import { planeOf } from '../../support/fleet-states.ts';
import type { Placed } from '../../support/placed.ts';

const RULES: InboundRules = {
  isOne: ({ metadata: { name } }) => name.startsWith('rule'),
  namespacesFor: ({ namespace }) => [namespace, 'everywhere', namespace],
};

function users(name: string, namespace: string, more: object = {}): Placed {
  const object = {
    apiVersion: 'fake.example/v1',
    kind: 'Sheet',
    metadata: { name, namespace, ...more },
    spec: { name },
  };
  return { cluster: 'c1', object: object as unknown as KubeObject };
}

/** By Service of c1. */
function inboundOf(placed: readonly Placed[]): Map<string, InboundView | undefined> {
  const found = new Map<string, InboundView | undefined>();
  const plugin = fakePlugin({
    inboundRules: RULES,
    translateDestination: ({ destination: { cluster, name }, inbound }) => {
      if (cluster === 'c1') found.set(name, inbound);
    },
  });
  planeOf(placed, plugin);
  return found;
}

test('for a federated Service, each object of its namespaces is listed once, with the labels of its workloads', () => {
  const created = '2026-01-01T00:00:00Z';
  const found = inboundOf([
    ...BASE,
    ...WORKLOADS,
    users('rule-own', 'x', { creationTimestamp: created }),
    users('rule-of-all', 'everywhere'),
    users('rule-elsewhere', 'z'),
    users('other', 'x'),
  ]);
  assert.equal(found.get('a'), {
    present: [
      { kind: 'Sheet', namespace: 'x', name: 'rule-own', created, spec: { name: 'rule-own' } },
      { kind: 'Sheet', namespace: 'everywhere', name: 'rule-of-all', spec: { name: 'rule-of-all' } },
    ],
    podLabels: [{ app: 'a', tier: 'front' }],
  });
});

test('without such objects, the view has no inbound field', () => {
  const found = inboundOf([...BASE, ...WORKLOADS, users('other', 'x')]);
  assert.ok(found.has('a'));
  assert.is(found.get('a'), undefined);
});

test.run();
