/** Other Services affected by an access rule in meshes that authorize by the callee's ServiceAccount. */

import { key, type Read, type SharedAccount } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../../src/graph/graph.ts';
import type { KnownDestination } from '../../../src/resolve/inventory/known-destination.ts';
import { servicesOfAccounts, sharedAccounts } from '../../../src/resolve/inventory/shared-accounts.ts';

interface Place {
  readonly cluster?: string;
  readonly namespace?: string;
}

function destination(
  name: string,
  serviceAccounts: readonly string[],
  { cluster = 'cluster-1', namespace = 'shop' }: Place = {},
): KnownDestination {
  return {
    key: key(cluster, namespace, name),
    cluster,
    namespace,
    name,
    hostname: `${name}.${namespace}.svc.cluster.local`,
    ports: [],
    labels: {},
    workloadSelector: {},
    serviceAccounts,
    serviceType: 'CLUSTER_IP',
    headless: false,
  };
}

function fleetState(): {
  readonly shared: (of: KnownDestination) => readonly SharedAccount[] | undefined;
  readonly set: (...all: readonly KnownDestination[]) => void;
  readonly computed: () => number;
} {
  const graph = createGraph();
  const known = graph.source<KnownDestination>('known');
  const accounts = servicesOfAccounts(graph, known);
  let computed = 0;
  const result = graph.derive('shared', known, (one, read: Read) => {
    computed += 1;
    return sharedAccounts(read, accounts, one);
  });
  return {
    shared: (of) => result.get(of.key),
    set: (...all) =>
      graph.commit((transaction) => {
        for (const one of all) transaction.set(known, one.key, one);
      }),
    computed: () => computed,
  };
}

test('a ServiceAccount of one Service is not shared', () => {
  const { set, shared } = fleetState();
  const cart = destination('cart', ['cart']);
  set(cart, destination('order', ['order']));
  assert.equal(shared(cart), []);
});

test('lists the other Services of each shared ServiceAccount by name', () => {
  const { set, shared } = fleetState();
  const cart = destination('cart', ['alone', 'both', 'default']);
  set(cart, destination('order', ['both', 'default']), destination('bill', ['default']));
  assert.equal(shared(cart), [
    { serviceAccount: 'both', services: ['order'] },
    { serviceAccount: 'default', services: ['bill', 'order'] },
  ]);
});

test('accounts of the same name in other namespaces or clusters are different', () => {
  const { set, shared } = fleetState();
  const cart = destination('cart', ['default']);
  set(
    cart,
    destination('order', ['default'], { namespace: 'bills' }),
    destination('order', ['default'], { cluster: 'cluster-2' }),
  );
  assert.equal(shared(cart), []);
});

test('follows added and changed Services', () => {
  const { set, shared } = fleetState();
  const cart = destination('cart', ['default']);
  set(cart);
  set(destination('order', ['default']));
  assert.equal(shared(cart), [{ serviceAccount: 'default', services: ['order'] }]);
  set(destination('order', ['order']));
  assert.equal(shared(cart), []);
});

test('a thousand Services of one account: 20 are listed, and one more recomputes no other', () => {
  const { set, shared, computed } = fleetState();
  const names = Array.from({ length: 1000 }, (_, index) => `service-${String(index).padStart(4, '0')}`);
  set(...names.map((name) => destination(name, ['default'])));
  const named = shared(destination('service-0500', []))?.[0]?.services ?? [];
  assert.equal(named, names.slice(0, 20));
  assert.equal(shared(destination('service-0003', []))?.[0]?.services, names.slice(0, 21).toSpliced(3, 1));
  const before = computed();
  set(destination('service-9999', ['default']));
  assert.is(computed() - before, 1);
});

test.run();
