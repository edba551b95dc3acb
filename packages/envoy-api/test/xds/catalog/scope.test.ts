/** The scope of a caller follows every change, and equals that of a new catalog with the same configuration. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import {
  keyText,
  type ShardSpec,
  type XdsCaller,
  XdsCatalog,
  type XdsKey,
  type XdsType,
} from '../../../src/xds/mod.ts';
import { hash } from '../../support/fixture.ts';
import { clusterOf, endpointsOf } from '../../support/shop.ts';

type Resource = NonNullable<ShardSpec['resources']>[number];

const NAMES = ['a', 'b', 'c', 'd'];
const CALLERS: readonly XdsCaller[] = [
  { namespace: 'shop', serviceAccount: 'web' },
  { namespace: 'shop', serviceAccount: 'web', workload: 'web-v2' },
  { namespace: 'shop', serviceAccount: 'pay' },
];

/** A cluster of clusters, which may form a cycle. */
function aggregate(name: string, clusters: readonly string[]): Resource {
  const typed_config = {
    '@type': 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig',
    clusters: [...clusters],
  };
  const value = { name, cluster_type: { name: 'envoy.clusters.aggregate', typed_config } };
  return { type: 'cluster', name, value };
}

const name = fc.constantFrom(...NAMES);
const some = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
const resource: fc.Arbitrary<Resource> = fc.oneof(
  name.map((each) => clusterOf(each)),
  fc.tuple(name, some).map(([each, clusters]) => aggregate(each, clusters)),
  fc.tuple(name, fc.integer({ min: 1, max: 3 })).map(([each, port]) => endpointsOf(each, port)),
);
const proxy = fc.record({ caller: fc.constantFrom(...CALLERS), clusters: some }).map(({ caller, clusters }) => ({
  namespace: caller.namespace,
  serviceAccount: caller.serviceAccount,
  ...(caller.workload === undefined ? {} : { workload: caller.workload }),
  listeners: [],
  clusters,
}));
const spec: fc.Arbitrary<ShardSpec | undefined> = fc.option(
  fc.record({ proxies: fc.array(proxy, { maxLength: 2 }), resources: fc.array(resource, { maxLength: 4 }) }),
  { nil: undefined, freq: 4 },
);
const changes = fc.array(fc.record({ shard: fc.constantFrom('1', '2', '3'), spec }), { minLength: 1, maxLength: 25 });

const SEEN: readonly XdsType[] = ['cluster', 'clusterLoadAssignment'];

/** Versions by key of all resources that a caller gets. */
function seenBy(view: ReturnType<XdsCatalog['view']>): Map<string, string> {
  const seen = new Map<string, string>();
  for (const type of SEEN) {
    for (const each of NAMES) {
      const found = view.get(type, each);
      if (found !== undefined) seen.set(keyText(found), found.version);
    }
  }
  return seen;
}

test('after any changes each caller has the resources of a new catalog, and got every difference', () => {
  fc.assert(
    fc.property(changes, (all) => {
      const catalog = new XdsCatalog({ hash });
      const shards = new Map<string, ShardSpec>();
      const followed = CALLERS.map((caller) => {
        const view = catalog.view(caller);
        const sentResponse: string[] = [];
        view.onChanged = (keys: readonly XdsKey[]) => sentResponse.push(...keys.map(keyText));
        return { caller, view, sentResponse };
      });
      for (const { shard, spec: next } of all) {
        const before = followed.map(({ view }) => seenBy(view));
        if (next === undefined) {
          shards.delete(shard);
          catalog.delete(shard);
        } else {
          shards.set(shard, next);
          catalog.set(shard, next);
        }
        const again = new XdsCatalog({ hash });
        for (const [one, what] of shards) again.set(one, what);
        for (const [at, { caller, view, sentResponse }] of followed.entries()) {
          using fresh = again.view(caller);
          const [was, is] = [before[at] as Map<string, string>, seenBy(view)];
          assert.equal(is, seenBy(fresh), `${caller.serviceAccount} ${caller.workload ?? ''}`);
          assert.equal([...view.listed('cluster')].sort(), [...fresh.listed('cluster')].sort());
          const differ = [...new Set([...was.keys(), ...is.keys()])].filter((id) => was.get(id) !== is.get(id));
          assert.equal(
            differ.filter((id) => !sentResponse.includes(id)),
            [],
            'every difference is reported',
          );
          assert.is(new Set(sentResponse).size, sentResponse.length, 'once');
          sentResponse.length = 0;
        }
      }
    }),
    { numRuns: scaledRuns(150) },
  );
});

test('clusters that name each other are removed when nothing else names them', () => {
  const catalog = new XdsCatalog({ hash });
  const [caller] = CALLERS as readonly [XdsCaller];
  const proxies = (...clusters: string[]) => [{ namespace: 'shop', serviceAccount: 'web', listeners: [], clusters }];
  catalog.set('own', { proxies: proxies('a', 'd'), resources: [aggregate('a', ['b']), clusterOf('d')] });
  catalog.set('ring', { resources: [aggregate('b', ['c']), aggregate('c', ['b'])] });
  using view = catalog.view(caller);
  assert.equal([...view.listed('cluster')].sort(), ['a', 'b', 'c', 'd']);
  catalog.set('own', { proxies: proxies('a', 'd'), resources: [aggregate('a', ['d']), clusterOf('d')] });
  assert.equal([...view.listed('cluster')].sort(), ['a', 'd']);
});

test('streams of one caller get the same updates, whichever of them ends', () => {
  const catalog = new XdsCatalog({ hash });
  const [caller] = CALLERS as readonly [XdsCaller];
  catalog.set('own', {
    proxies: [{ namespace: 'shop', serviceAccount: 'web', listeners: [], clusters: ['a'] }],
    resources: [clusterOf('a'), endpointsOf('a', 1)],
  });
  const heard = [0, 0];
  const [one, other] = [catalog.view(caller), catalog.view({ ...caller })];
  one.onChanged = () => heard.splice(0, 1, (heard[0] ?? 0) + 1);
  other.onChanged = () => heard.splice(1, 1, (heard[1] ?? 0) + 1);
  assert.is(one.scope, other.scope, 'what they may have is kept once');
  catalog.set('own-2', { resources: [endpointsOf('b', 2)] });
  assert.equal(heard, [0, 0], 'of no concern to them');
  catalog.set('later', { resources: [endpointsOf('a', 2)] });
  catalog.delete('own');
  one[Symbol.dispose]();
  catalog.set('own', {
    proxies: [{ namespace: 'shop', serviceAccount: 'web', listeners: [], clusters: ['a'] }],
    resources: [clusterOf('a'), endpointsOf('a', 1)],
  });
  assert.ok((heard[1] ?? 0) > (heard[0] ?? 0));
  assert.equal([...other.listed('cluster')], ['a']);
  other[Symbol.dispose]();
  using again = catalog.view(caller);
  assert.is.not(again.scope, other.scope, 'no view was left');
  assert.equal([...again.listed('cluster')], ['a']);
});

test.run();
