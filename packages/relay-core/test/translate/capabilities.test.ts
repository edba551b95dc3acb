/** Fields that a mesh does not support are removed before its plugin gets them, with a report to their policies. */
import type { KubeObject } from '@meshrelay/api';
import type { CapabilityTable, DestinationView, MeshPlugin } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import type { LoadedPlugin } from '../../src/mod.ts';
import { BASE } from '../support/base-fleet.ts';
import { capabilities, fakePlugin } from '../support/fake-plugin.ts';
import { planeOf } from '../support/fleet-states.ts';
import type { Placed } from '../support/placed.ts';

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

/** The view of destination b that the plugin got, and the reports to the policy. */
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

test('an unsupported action is removed, the others stay', () => {
  const { seen, state, reports } = translated('TrafficPolicy', rules, { 'route.timeout': unsupported });
  assert.equal(Object.keys(seen?.routes[0]?.actions ?? {}), ['retries']);
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.policy.requestTimeout']);
});

test('an unsupported part of an action removes the action', () => {
  const { seen, reports } = translated('TrafficPolicy', rules, { 'route.retries.retryOn': unsupported });
  assert.equal(Object.keys(seen?.routes[0]?.actions ?? {}), ['timeoutMs']);
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.policy.retries.retryOn']);
});

test('a degraded action stays, and its policy gets a report about the loss', () => {
  const { seen, state, reports } = translated('TrafficPolicy', rules, {
    'route.timeout': { degraded: 'whole seconds only' },
  });
  assert.equal(Object.keys(seen?.routes[0]?.actions ?? {}).sort(), ['retries', 'timeoutMs']);
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['DEGRADED spec.policy.requestTimeout']);
});

test('a route without any action left is removed', () => {
  const { seen } = translated('TrafficPolicy', { policy: { requestTimeout: '1s' } }, { 'route.timeout': unsupported });
  assert.equal(seen?.routes, []);
});

test('an unsupported match removes the route: without the match it would apply to other requests', () => {
  const matched = { ...rules, httpRequestMatchers: [{ method: 'GET', uri: { exact: '/a' } }] };
  const { seen, state, reports } = translated('TrafficPolicy', matched, { 'match.method': unsupported });
  assert.equal(seen?.routes, []);
  assert.is(state, 'DEGRADED');
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.httpRequestMatchers']);
});

test('an ALLOW with an unsupported part becomes one without callers, so it still denies all others', () => {
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

test('unsupported parts of retries are removed, and the rest applies', () => {
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

test('retries on unsupported conditions only are removed', () => {
  const { seen } = translated(
    'TrafficPolicy',
    { policy: { retries: { attempts: 1, retryOn: ['409'] } } },
    { 'route.retries.statusCodes': unsupported },
  );
  assert.equal(seen?.routes, []);
});

test('an unsupported limit per day is removed, and an unsupported burst is removed from its limit', () => {
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

test('unsupported limits of a connection pool are removed, and the pool if none is left', () => {
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

test('callers that a mesh cannot identify are not admitted; the others are', () => {
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

test('callers that a mesh cannot deny are removed from the allowed ones', () => {
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

test('an unsupported connection setting is removed', () => {
  const { seen, reports } = translated(
    'TrafficPolicy',
    { policy: { mtls: { istio: { tlsMode: 'DISABLE' } }, connectionPool: { tcp: { maxConnections: 1 } } } },
    { 'connection.mtls': unsupported },
  );
  assert.equal(Object.keys(seen?.connection ?? {}), ['pool']);
  assert.equal([...new Set(reports)], ['UNSUPPORTED spec.policy.mtls']);
});

test('a behaviour that a mesh always has is neither removed nor reported', () => {
  const { seen, state, reports } = translated('TrafficPolicy', rules, { 'route.timeout': { always: 'anyway' } });
  assert.equal(Object.keys(seen?.routes[0]?.actions ?? {}).sort(), ['retries', 'timeoutMs']);
  assert.is(state, 'ACCEPTED');
  assert.equal(reports, []);
});

test('a mesh without federation support gets that report only, and none about gateways and hostnames', () => {
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
