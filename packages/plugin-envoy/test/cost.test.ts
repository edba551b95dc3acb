/**
 * The cost of a change depends on the change, not on the size of the cluster: a pod changes one object, a route
 * another.
 */
import type { KubeObject } from '@meshrelay/api';
import { expandFleet, LiveFleet, type PolicySpec } from '@meshrelay/plugin-kit';
import { loadPlugins } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';

const MESHES = [{ name: 'meshrelay-agent-meshrelay-cluster-1', namespace: 'meshrelay' }];

function policies(timeout: string): readonly PolicySpec[] {
  const destinationSelector = [{ kubeServiceMatcher: { labels: { app: 's-1' } } }];
  return [
    { VirtualMesh: 'all', spec: { meshes: MESHES } },
    { TrafficPolicy: 'one', spec: { destinationSelector, policy: { requestTimeout: timeout } } },
  ];
}

/** A cluster with the given number of Services, all in the Envoys' configuration. */
function fleetOf(services: number, timeout = '1s') {
  const names = Array.from({ length: services }, (_, index) => `s-${index}.n-${index % 7}`);
  const spec = {
    about: '',
    clusters: {
      'cluster-1': { services: Object.fromEntries(names.map((name) => [name, { ports: ['http:80:8080'] }])) },
    },
    management: policies(timeout),
  };
  return expandFleet(spec, { type: 'envoy', fixture });
}

/** Applies changes to the fleet, and records the changed objects and transforms. */
class Watched {
  readonly #live = new LiveFleet(loadPlugins([{ module: 'envoy', plugin: envoy }]));

  constructor(services: number) {
    const { clusters, management } = fleetOf(services);
    for (const object of management) this.#live.report('', object, 'there');
    for (const { name, objects } of clusters) for (const object of objects) this.#live.report(name, object, 'there');
    this.#live.settle();
  }

  /** Names of the changed objects, and the number of transforms that ran. */
  after(cluster: string, object: KubeObject): { readonly written: readonly string[]; readonly ran: number } {
    const { plane } = this.#live;
    const ran = () => [...plane.graph.counters().values()].reduce((sum, { recomputed }) => sum + recomputed, 0);
    const written = new Set<string>();
    const stop = plane.graph.subscribe((changes) => {
      for (const { before, after } of changes.of(plane.desired))
        written.add((after ?? before)?.object.metadata.name ?? '');
    });
    const before = ran();
    this.#live.report(cluster, object, 'there');
    stop();
    return { written: [...written].sort(), ran: ran() - before };
  }
}

/** The endpoints of a Service, with one more pod. */
function grown(): KubeObject {
  const slice = fleetOf(2).clusters[0]?.objects.find(
    ({ kind, metadata }) => kind === 'EndpointSlice' && metadata.name === 's-1-1',
  ) as unknown as { readonly endpoints: readonly object[] };
  const [first] = slice.endpoints;
  return { ...slice, endpoints: [first, { ...first, addresses: ['10.99.0.1'] }] } as unknown as KubeObject;
}

const SMALL = 20;
const LARGE = 200;

test('one more endpoint changes one object, in a small cluster and a large one', () => {
  const [small, large] = [SMALL, LARGE].map((size) => new Watched(size).after('cluster-1', grown()));
  assert.equal(small?.written, ['meshrelay-pods-s-1.n-1']);
  assert.equal(large?.written, ['meshrelay-pods-s-1.n-1']);
  assert.is(large?.ran, small?.ran);
});

test('an edit of routes changes one object, in a small cluster and a large one', () => {
  const edited = fleetOf(1, '2s').management.find(({ kind }) => kind === 'TrafficPolicy') as KubeObject;
  const [small, large] = [SMALL, LARGE].map((size) => new Watched(size).after('', edited));
  assert.equal(small?.written, ['meshrelay-destination-s-1.n-1']);
  assert.equal(large?.written, ['meshrelay-destination-s-1.n-1']);
  assert.is(large?.ran, small?.ran);
});

test.run();
