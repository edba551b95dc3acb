/** A catalog gives each caller exactly the resources that its roots reference. */
import { assert, test } from '@meshrelay/testing';
import {
  keyText,
  type SecretSource,
  type ShardSpec,
  type XdsCaller,
  XdsCatalog,
  type XdsKey,
} from '../../src/xds/mod.ts';
import { hash, resource } from '../support/fixture.ts';

type Resource = NonNullable<ShardSpec['resources']>[number];

const eds = { eds_config: { ads: {}, resource_api_version: 'V3' } };
const clusterOf = (name: string, mark = ''): Resource => ({
  type: 'cluster',
  name,
  value: { name, type: 'EDS', eds_cluster_config: eds, alt_stat_name: mark },
});
const endpointsOf = (name: string, port = 1): Resource => ({
  type: 'clusterLoadAssignment',
  name,
  value: {
    cluster_name: name,
    endpoints: [
      { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '127.0.0.1', port_value: port } } } }] },
    ],
  },
});
const listenerOf = (name: string, secret: string): Resource => ({
  type: 'listener',
  name,
  value: {
    name,
    filter_chains: [
      {
        filters: [
          {
            name: 'h',
            typed_config: {
              '@type':
                'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
              stat_prefix: 'in',
              rds: { route_config_name: name, config_source: { ads: {} } },
              http_filters: [{ name: 'wasm', config_discovery: { config_source: { ads: {} }, type_urls: ['x'] } }],
            },
          },
        ],
        transport_socket: {
          name: 'tls',
          typed_config: {
            '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext',
            common_tls_context: { tls_certificate_sds_secret_configs: [{ name: secret, sds_config: { ads: {} } }] },
          },
        },
      },
    ],
  },
});
const routesOf = (name: string, cluster: string): Resource => ({
  type: 'routeConfiguration',
  name,
  value: {
    name,
    virtual_hosts: [{ name: 'v', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster } }] }],
  },
});

const web: XdsCaller = { namespace: 'shop', serviceAccount: 'web' };
const pay: XdsCaller = { namespace: 'shop', serviceAccount: 'pay' };
const proxyOf = (caller: XdsCaller, ...listeners: string[]) => ({
  namespace: caller.namespace,
  serviceAccount: caller.serviceAccount,
  listeners,
  clusters: [],
});

function shop(refused: string[] = []): XdsCatalog {
  const secrets: SecretSource = {
    get: ({ serviceAccount }, name) =>
      resource('secret', name, { name, tls_certificate: { private_key: { inline_string: serviceAccount } } }),
    refused: ({ serviceAccount }, name) => refused.push(`${serviceAccount} ${name}`),
  };
  const catalog = new XdsCatalog({ hash, secrets });
  catalog.set('one', {
    proxies: [proxyOf(web, 'web-in'), proxyOf(pay, 'pay-in')],
    resources: [
      listenerOf('web-in', 'web-id'),
      routesOf('web-in', 'cart'),
      clusterOf('cart'),
      listenerOf('pay-in', 'pay-id'),
      routesOf('pay-in', 'bank'),
    ],
  });
  catalog.set('two', { resources: [clusterOf('bank'), endpointsOf('bank'), endpointsOf('cart')] });
  return catalog;
}

function changesOf(
  catalog: XdsCatalog,
  caller: XdsCaller,
): { view: ReturnType<XdsCatalog['view']>; sentResponse: string[] } {
  const view = catalog.view(caller);
  const sentResponse: string[] = [];
  view.onChanged = (keys: readonly XdsKey[]) => sentResponse.push(...keys.map(keyText));
  return { view, sentResponse };
}

test('a caller that requests a foreign secret gets nothing, and this is reported', () => {
  const refused: string[] = [];
  using view = shop(refused).view(web);
  assert.ok(view.get('secret', 'web-id') !== undefined);
  assert.equal(refused, []);
  assert.is(view.get('secret', 'pay-id'), undefined);
  assert.equal(refused, ['web pay-id']);
});

test('changed secrets are sent to their owners', () => {
  const catalog = shop();
  const [own, other] = [changesOf(catalog, web), changesOf(catalog, pay)];
  catalog.secretsChanged(['web-id', 'pay-id'], pay);
  assert.equal([own.sentResponse, other.sentResponse], [[], ['secret/pay-id']]);
  catalog.secretsChanged(['web-id', 'pay-id']);
  assert.equal([own.sentResponse, other.sentResponse], [['secret/web-id'], ['secret/pay-id', 'secret/pay-id']]);
  own.view[Symbol.dispose]();
  other.view[Symbol.dispose]();
});

test('a cluster of clusters brings those along', () => {
  const catalog = shop();
  const typed_config = {
    '@type': 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig',
    clusters: ['near', 'far'],
  };
  const value = {
    name: 'cart',
    lb_policy: 'CLUSTER_PROVIDED',
    connect_timeout: '1s',
    cluster_type: { name: 'envoy.clusters.aggregate', typed_config },
  };
  catalog.set('0', { resources: [{ type: 'cluster', name: 'cart', value }, clusterOf('near'), clusterOf('far')] });
  using view = catalog.view(web);
  assert.ok(view.get('cluster', 'near') !== undefined && view.get('cluster', 'far') !== undefined);
});

test('a caller has its closure and nothing else', () => {
  using view = shop().view(web);
  const all = [
    view.get('listener', 'web-in'),
    view.get('routeConfiguration', 'web-in'),
    view.get('cluster', 'cart'),
    view.get('clusterLoadAssignment', 'cart'),
    view.get('secret', 'web-id'),
  ];
  assert.ok(all.every((each) => each !== undefined));
  const others = [
    view.get('listener', 'pay-in'),
    view.get('routeConfiguration', 'pay-in'),
    view.get('cluster', 'bank'),
    view.get('clusterLoadAssignment', 'bank'),
    view.get('secret', 'pay-id'),
    view.get('extensionConfig', 'wasm'),
  ];
  assert.ok(others.every((each) => each === undefined));
  assert.equal([...view.listed('cluster')], ['cart']);
  assert.equal([...view.listed('clusterLoadAssignment')], [], 'is asked for by name');
});

test('an unknown account has nothing; node information only narrows', () => {
  const catalog = shop();
  catalog.set('three', { proxies: [{ ...proxyOf(web, 'pay-in'), workload: 'web-v2' }] });
  using noCaller = catalog.view({ namespace: 'shop', serviceAccount: 'other', workload: 'web-v2' });
  using v1 = catalog.view({ ...web, workload: 'web-v1' });
  using v2 = catalog.view({ ...web, workload: 'web-v2' });
  assert.equal([...noCaller.listed('listener')], []);
  assert.equal([...v1.listed('listener')], ['web-in']);
  assert.equal([...v2.listed('listener')].sort(), ['pay-in', 'web-in']);
});

test('one changed endpoint is one change, sent to the callers that have it', () => {
  const catalog = shop();
  const [mine, unmanaged] = [changesOf(catalog, web), changesOf(catalog, pay)];
  catalog.set('two', { resources: [clusterOf('bank'), endpointsOf('bank'), endpointsOf('cart', 2)] });
  assert.equal(mine.sentResponse, ['clusterLoadAssignment/cart']);
  assert.equal(unmanaged.sentResponse, []);
});

test('another route adds the resources it references and removes the previous ones', () => {
  const catalog = shop();
  const { view, sentResponse } = changesOf(catalog, web);
  catalog.set('a-new', { resources: [routesOf('web-in', 'bank')] });
  assert.is(view.get('cluster', 'cart'), undefined);
  assert.ok(view.get('cluster', 'bank') && view.get('clusterLoadAssignment', 'bank'));
  assert.equal(
    sentResponse.sort(),
    [
      'cluster/bank',
      'cluster/cart',
      'clusterLoadAssignment/bank',
      'clusterLoadAssignment/cart',
      'routeConfiguration/web-in',
    ],
    'the first object by name counts',
  );
  catalog.delete('a-new');
  assert.ok(view.get('cluster', 'cart'));
});

test('changed roots are reported; a deleted object removes all its resources', () => {
  const catalog = shop();
  const { view, sentResponse } = changesOf(catalog, web);
  catalog.delete('one');
  assert.equal([...view.listed('listener')], []);
  assert.ok(sentResponse.includes('listener/web-in') && sentResponse.includes('cluster/cart'));
});

test('a resource that Envoy would reject is not served: the last valid one is, and this is reported', () => {
  const catalog = shop();
  using view = catalog.view(web);
  const before = view.get('clusterLoadAssignment', 'cart');
  catalog.set('two', { resources: [clusterOf('bank'), endpointsOf('bank', 99_999), endpointsOf('cart', 99_999)] });
  assert.is(view.get('clusterLoadAssignment', 'cart'), before);
  assert.equal(
    catalog.bad().map(({ shard, name }) => [shard, name]),
    [
      ['two', 'bank'],
      ['two', 'cart'],
    ],
  );
  assert.match(catalog.bad()[0]?.problem ?? '', /port_value must be at most 65535/);
  catalog.set('two', { resources: [{ type: 'cluster', name: 'odd', value: { nmae: 'odd' } }] });
  assert.match(catalog.bad()[0]?.problem ?? '', /nmae/);
  assert.is(view.get('clusterLoadAssignment', 'cart'), undefined, 'what is gone is gone');
});

test('versions are the same for any order of keys and objects', () => {
  const [one, other] = [new XdsCatalog({ hash }), new XdsCatalog({ hash })];
  one.set('x', { resources: [clusterOf('a')] });
  other.set('y', { resources: [clusterOf('b')] });
  other.set('z', {
    resources: [{ ...clusterOf('a'), value: Object.fromEntries(Object.entries(clusterOf('a').value).reverse()) }],
  });
  const key = { type: 'cluster', name: 'a' } as const;
  assert.ok(one.get(key));
  assert.is(one.get(key)?.version, other.get(key)?.version);
});

test.run();
