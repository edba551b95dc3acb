/** Reports that a Service shares its pods with others, as Services are added and deleted. */

import { key, type Read } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph } from '../../../src/graph/graph.ts';
import type { AccessPlan } from '../../../src/resolve/access/access.ts';
import type { Destinations } from '../../../src/resolve/inventory/destinations.ts';
import type { KnownDestination } from '../../../src/resolve/inventory/known-destination.ts';
import { accessNotes } from '../../../src/resolve/reports/access-notes.ts';

const POLICY = { kind: 'AccessPolicy', cluster: '', namespace: 'meshrelay', name: 'readers' };
const RULE = { from: [POLICY], paths: [], methods: [], notPaths: [], notMethods: [], ports: [], notPorts: [] };
const PLAN = { rules: [RULE] } as unknown as AccessPlan;

function destination(name: string, workloadSelector: Readonly<Record<string, string>>): KnownDestination {
  return {
    key: key('cluster-1', 'shop', name),
    cluster: 'cluster-1',
    namespace: 'shop',
    name,
    hostname: `${name}.shop.svc.cluster.local`,
    ports: [],
    labels: {},
    workloadSelector,
    serviceAccounts: [],
    serviceType: 'CLUSTER_IP',
    headless: false,
  };
}

function fleetState() {
  const graph = createGraph();
  const known = graph.source<KnownDestination>('known');
  const plans = graph.source<AccessPlan>('plans');
  const report = accessNotes(graph, plans, { known } as unknown as Destinations);
  let reported = 0;
  const result = graph.derive('told', known, (one, read: Read) => {
    reported += 1;
    return report(one, read).flatMap(({ reports }) => reports.map(({ message }) => message.replace(/; .*/, '')));
  });
  return {
    set: (...all: readonly KnownDestination[]) =>
      graph.commit((transaction) => {
        for (const one of all) {
          transaction.set(known, one.key, one);
          transaction.set(plans, one.key, PLAN);
        }
      }),
    drop: ({ key: at }: KnownDestination) => graph.commit((transaction) => transaction.delete(known, at)),
    of: ({ key: at }: KnownDestination) => result.get(at),
    reported: () => reported,
  };
}

const [cart, basket, web] = [
  destination('cart', { app: 'cart', tier: 'back' }),
  destination('basket', { app: 'cart' }),
  destination('web', { app: 'web', tier: 'back' }),
];

test('two Services are reported to share pods if one selects all pods of the other, until one is deleted', () => {
  const { set, drop, of } = fleetState();
  set(cart, basket, web);
  assert.equal(of(cart), ['Service shop/cart of cluster cluster-1 shares pods with basket']);
  assert.equal(of(basket), ['Service shop/basket of cluster cluster-1 shares pods with cart']);
  assert.equal(of(web), [], 'a label in common is not enough');
  drop(basket);
  assert.equal(of(cart), []);
  set(basket, destination('trolley', { tier: 'back', app: 'cart' }));
  assert.equal(of(cart), ['Service shop/cart of cluster cluster-1 shares pods with basket, trolley']);
});

test('a Service that shares no pods is not evaluated again when others are added', () => {
  const { set, reported } = fleetState();
  set(web);
  const before = reported();
  set(basket);
  assert.is(reported() - before, 1);
});

test.run();
