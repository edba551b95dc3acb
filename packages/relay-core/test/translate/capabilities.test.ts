/** What a mesh says it cannot carry is taken out before its plugin sees it, and told to the policies that asked. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import type { CapabilityTable, DestinationView, LoadedPlugin, MeshPlugin } from '../../src/mod.ts';
import { BASE } from '../support/base-fleet.ts';
import { capabilities, fakePlugin } from '../support/fake-plugin.ts';
import type { Placed } from '../support/fleet-objects.ts';
import { planeOf } from '../support/fleet-states.ts';

function policy(kind: string, spec: object, name = 'p'): Placed {
  const object = {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind,
    metadata: { name, namespace: 'n' },
    spec: {
      destinationSelector: [{ kubeServiceRefs: { services: [{ name: 'b', namespace: 'y', clusterName: 'c1' }] } }],
      ...spec,
    },
  };
  return { cluster: '', object: object as unknown as KubeObject };
}

/** The view the plugin saw of destination b, and what the policy was told. */
function translated(
  kind: string,
  spec: object,
  table: Partial<CapabilityTable>,
  changes: Partial<MeshPlugin> = {},
  others: readonly Placed[] = [],
) {
  let seen: DestinationView | undefined;
  const plugin: LoadedPlugin = fakePlugin({
    capabilities: capabilities(table),
    translateDestination(view) {
      if (view.destination.name === 'b') seen = view;
    },
    ...changes,
  });
  const plane = planeOf([...BASE, ...others, policy(kind, spec)], plugin);
  const status = [...plane.statuses.entries()].map(([, one]) => one).find(({ ref }) => ref.name === 'p')?.status;
  const reports = status?.targets.flatMap((target) => target.reports).map(({ code, field }) => `${code} ${field}`);
  return { seen, state: status?.state, reports, plane };
}

const unsupported = { unsupported: 'because' };
const rules = { policy: { requestTimeout: '1s', retries: { attempts: 1, retryOn: ['5xx'] } } };

test('an unsupported action is taken out, the others stay', () => {
  const { seen, state, reports } = translated('TrafficPolicy', rules, { 'route.timeout': unsupported });
  assert.equal(Object.keys(seen?.routes[0]?.actions ?? {}), ['retries']);
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.policy.requestTimeout']);
});

test('an unsupported part of an action takes the action out', () => {
  const { seen, reports } = translated('TrafficPolicy', rules, { 'route.retries.retryOn': unsupported });
  assert.equal(Object.keys(seen?.routes[0]?.actions ?? {}), ['timeoutMs']);
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.policy.retries.retryOn']);
});

test('an action carried in part stays, and its policy is told what is lost', () => {
  const { seen, state, reports } = translated('TrafficPolicy', rules, {
    'route.timeout': { degraded: 'whole seconds only' },
  });
  assert.equal(Object.keys(seen?.routes[0]?.actions ?? {}).sort(), ['retries', 'timeoutMs']);
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['DEGRADED spec.policy.requestTimeout']);
});

test('a route that loses all it was to do is no route', () => {
  const { seen } = translated('TrafficPolicy', { policy: { requestTimeout: '1s' } }, { 'route.timeout': unsupported });
  assert.equal(seen?.routes, []);
});

test('an unsupported match takes the route out: without it, it would take other requests too', () => {
  const matched = { ...rules, httpRequestMatchers: [{ method: 'GET', uri: { exact: '/a' } }] };
  const { seen, state, reports } = translated('TrafficPolicy', matched, { 'match.method': unsupported });
  assert.equal(seen?.routes, []);
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.httpRequestMatchers']);
});

test('of an ALLOW with an unsupported part one of nobody is left, so that what it closed stays closed', () => {
  const { seen, state, reports } = translated(
    'AccessPolicy',
    { allowedMethods: ['GET'], allowedPorts: [8080] },
    { 'access.methods': unsupported },
  );
  assert.equal(
    seen?.access.map(({ action, sources, ports }) => [action, sources, ports]),
    [['ALLOW', { kind: 'principals', principals: [] }, []]],
  );
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.allowedMethods']);
});

test('of retries the parts that are unsupported are left out, and the rest is in force', () => {
  const retries = { attempts: 1, retryOn: ['5xx', '409'], retryRemoteLocalities: true };
  const { seen, reports } = translated(
    'TrafficPolicy',
    { policy: { retries } },
    { 'route.retries.statusCodes': unsupported, 'route.retries.remoteLocalities': unsupported },
  );
  assert.equal(seen?.routes[0]?.actions.retries?.value, { attempts: 1, retryOn: ['5xx'] });
  assert.equal([...new Set(reports)].sort(), [
    'UNSUPPORTED spec.policy.retries.retryOn',
    'UNSUPPORTED spec.policy.retries.retryRemoteLocalities',
  ]);
});

test('retries on nothing but what is unsupported are none', () => {
  const { seen } = translated(
    'TrafficPolicy',
    { policy: { retries: { attempts: 1, retryOn: ['409'] } } },
    { 'route.retries.statusCodes': unsupported },
  );
  assert.equal(seen?.routes, []);
});

test('a limit per day is no limit where days cannot be counted, and one without its burst where that is unsupported', () => {
  const limited = (unit: string) => ({ policy: { localRateLimit: { requestsPerUnit: 9, unit, burst: 2 } } });
  const table = {
    'route.localRateLimit.perDay': unsupported,
    'route.localRateLimit.burstBelowRate': unsupported,
  };
  const hourly = translated('TrafficPolicy', limited('HOUR'), table);
  assert.equal(hourly.seen?.routes[0]?.actions.localRateLimit?.value, { requestsPerUnit: 9, unit: 'HOUR' });
  assert.equal([...new Set(hourly.reports)], ['UNSUPPORTED spec.policy.localRateLimit.burst']);
  assert.equal(translated('TrafficPolicy', limited('DAY'), table).seen?.routes, []);
});

test('unsupported limits of a connection pool are left out, and the pool where none is left', () => {
  const table = { 'connection.pool.tcpKeepalive': unsupported, 'connection.pool.idleTimeout': unsupported };
  const tcpKeepalive = { probes: 3 };
  const some = translated(
    'TrafficPolicy',
    { policy: { connectionPool: { tcp: { maxConnections: 1, tcpKeepalive }, http: { idleTimeout: '1s' } } } },
    table,
  );
  assert.equal(some.seen?.connection.pool?.value, { maxConnections: 1 });
  assert.equal([...new Set(some.reports)].sort(), [
    'UNSUPPORTED spec.policy.connectionPool.http.idleTimeout',
    'UNSUPPORTED spec.policy.connectionPool.tcp.tcpKeepalive',
  ]);
  const none = translated('TrafficPolicy', { policy: { connectionPool: { tcp: { tcpKeepalive } } } }, table);
  assert.equal(none.seen?.connection, {});
});

const ACCOUNT = { kubeServiceAccountRefs: { serviceAccounts: [{ name: 'a', namespace: 'x' }] } };
const NAMESPACE = { kubeIdentityMatcher: { namespaces: ['x'] } };

test('callers that cannot be told are not let in, and those that can are', () => {
  const { seen, state, reports } = translated(
    'AccessPolicy',
    { sourceSelector: [ACCOUNT, NAMESPACE, {}] },
    { 'access.sources.namespaces': unsupported, 'access.sources.trustDomains': unsupported },
  );
  const [rule] = seen?.access ?? [];
  const principals = rule?.sources.kind === 'principals' ? rule.sources.principals : [];
  assert.ok(principals.length > 0 && principals.every((one) => one.endsWith('/ns/x/sa/a')), principals.join());
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.sourceSelector']);
});

test('callers that a DENY cannot tell are taken out of what is allowed', () => {
  const { seen } = translated(
    'AccessPolicy',
    { action: 'DENY', sourceSelector: [NAMESPACE] },
    { 'access.sources.namespaces': unsupported },
    {},
    [policy('AccessPolicy', { sourceSelector: [ACCOUNT] }, 'open')],
  );
  assert.equal(
    seen?.access.map(({ action, sources }) => [action, sources]),
    [['ALLOW', { kind: 'principals', principals: [] }]],
  );
});

test('an unsupported connection setting is taken out', () => {
  const { seen, reports } = translated(
    'TrafficPolicy',
    { policy: { mtls: { istio: { tlsMode: 'DISABLE' } }, connectionPool: { tcp: { maxConnections: 1 } } } },
    { 'connection.mtls': unsupported },
  );
  assert.equal(Object.keys(seen?.connection ?? {}), ['pool']);
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.policy.mtls']);
});

test('what a mesh always does is neither taken out nor told', () => {
  const { seen, state, reports } = translated('TrafficPolicy', rules, { 'route.timeout': { always: 'anyway' } });
  assert.equal(Object.keys(seen?.routes[0]?.actions ?? {}).sort(), ['retries', 'timeoutMs']);
  assert.is(state, 'ACCEPTED');
  assert.equal(reports, []);
});

test('a mesh that cannot federate is told so, and nothing of gateways and names', () => {
  const plugin = fakePlugin({
    capabilities: capabilities({ 'mesh.federation.gateway': unsupported, 'mesh.federation.flatNetwork': unsupported }),
  });
  const withoutGateways = BASE.filter(({ object }) => object.metadata.name !== 'gw');
  const { statuses } = planeOf(withoutGateways, plugin);
  const status = [...statuses.entries()].map(([, one]) => one).find(({ ref }) => ref.name === 'base')?.status;
  assert.is(status?.state, 'DEGRADED');
  const codes = status?.targets.flatMap((target) => target.reports).map(({ code }) => code);
  assert.equal([...new Set(codes)], ['UNSUPPORTED']);
});

test.run();
