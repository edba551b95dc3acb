/** Cost follows the size of the change: counted, not timed. */

import { key } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { createGraph, type Graph, type Source } from '../../src/mod.ts';

interface Service {
  readonly app: string;
  readonly namespace: string;
  readonly port: number;
}

interface Policy {
  readonly app: string;
  readonly timeout: number;
}

interface View {
  readonly service: Service;
  readonly neighbours: number;
  readonly timeouts: readonly (number | undefined)[];
}

/** A small control plane: policies matched to services, grouped per service, rendered into two outputs each. */
function fleet(size: number): { graph: Graph; policies: Source<Policy>; services: Source<Service> } {
  const graph = createGraph();
  const services = graph.source<Service>('services');
  const policies = graph.source<Policy>('policies');
  const byNamespace = graph.index(services, 'by namespace', (service) => [key(service.namespace)]);
  const pairs = graph.match('pairs', policies, services, {
    candidateBuckets: (policy) => [key(policy.app)],
    bucketsOf: (service) => [key(service.app)],
    matches: () => true,
  });
  const policiesOf = graph.group('policies of', pairs, (pair) => [[pair.right, pair.left] as const]);
  const views = graph.derive('views', services, (service, read, at) => ({
    service,
    neighbours: read.count(byNamespace, key(service.namespace)),
    timeouts: (read.get(policiesOf, at) ?? []).map((policy) => read.get(policies, policy)?.timeout),
  }));
  const outputs = graph.deriveMany<View, object>('outputs', views, (view, _, at) => [
    [key('route', at), { timeouts: view.timeouts }],
    [key('rule', at), { port: view.service.port }],
  ]);
  graph.join('all', [outputs]);
  graph.commit((transaction) => {
    for (let n = 0; n < size; n++) {
      const service = { app: `app-${Math.floor(n / 5)}`, namespace: `ns-${n % 50}`, port: 80 };
      transaction.set(services, key('service', `${n}`), service);
    }
    for (let n = 0; n < 100; n++) transaction.set(policies, key('policy', `${n}`), { app: `app-${n}`, timeout: 1 });
  });
  return { graph, policies, services };
}

/** Counters of all nodes added by a piece of work. */
function cost(graph: Graph, work: () => void): { recomputed: number; changed: number } {
  const sum = () => {
    const all = [...graph.counters().values()];
    return {
      recomputed: all.reduce((total, node) => total + node.recomputed, 0),
      changed: all.reduce((total, node) => total + node.changed, 0),
    };
  };
  const before = sum();
  work();
  const after = sum();
  return { recomputed: after.recomputed - before.recomputed, changed: after.changed - before.changed };
}

const sizes = [1_000, 10_000, 100_000];

test('one edit of a policy for five services, or of a service, costs the same among 1,000 and 100,000', () => {
  const seen: unknown[] = [];
  for (const size of sizes) {
    const { graph, policies, services } = fleet(size);
    const before = graph.counters();
    const edit = cost(graph, () => {
      graph.commit((transaction) => transaction.set(policies, key('policy', '7'), { app: 'app-7', timeout: 2 }));
    });
    const after = graph.counters();
    for (const node of ['views', 'outputs']) {
      assert.is((after.get(node)?.recomputed ?? 0) - (before.get(node)?.recomputed ?? 0), 5, node);
    }
    const port = cost(graph, () => {
      const service = { app: 'app-1', namespace: 'ns-7', port: 81 };
      graph.commit((transaction) => transaction.set(services, key('service', '7'), service));
    });
    const move = cost(graph, () => {
      graph.commit((transaction) => transaction.set(policies, key('policy', '7'), { app: 'app-8', timeout: 2 }));
    });
    const nothing = cost(graph, () => {
      graph.commit((transaction) => transaction.set(policies, key('policy', '9'), { app: 'app-9', timeout: 1 }));
    });
    seen.push({ edit, port, move, nothing });
  }
  assert.equal(seen[1], seen[0]);
  assert.equal(seen[2], seen[0]);
  assert.equal(seen[0], {
    // policy, 5 candidate pairs, 5 views, 5 services' outputs, 5 joined keys -> policy, 5 views, 5 routes, 5 joined.
    edit: { recomputed: 1 + 5 + 5 + 5 + 5, changed: 1 + 5 + 5 + 5 },
    // service, its index entry, 1 pair, 1 view, 1 item's outputs, 1 joined key -> service, view, rule, joined.
    port: { recomputed: 1 + 1 + 1 + 1 + 1 + 1, changed: 1 + 1 + 1 + 1 },
    // policy, 5 new candidates, 10 pairs grouped (5 gone need no run), 10 views, 10 items' outputs, 10 joined keys.
    move: { recomputed: 1 + 5 + 5 + 10 + 10 + 10, changed: 1 + 10 + 10 + 10 + 10 + 10 },
    nothing: { recomputed: 1, changed: 0 },
  });
});

test.run();
