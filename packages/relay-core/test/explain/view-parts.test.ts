/** Parts of a view with source policies, and views without one of these parts. */
import { assert, test } from '@meshrelay/testing';
import { viewParts } from '../../src/explain/view-parts.ts';

const ref = (name: string) => ({ kind: 'TrafficPolicy', cluster: '', namespace: 'meshrelay', name });
const match = { headers: [], queryParameters: [], method: 'GET' };
const VIEW = {
  destination: { from: [ref('no-policy-speaks-here')] },
  routes: [
    { match, port: { number: 80 }, actions: { timeoutMs: { value: 5, from: [ref('a'), ref('b')] } }, from: [ref('a')] },
  ],
  connection: { pool: { value: { maxConnections: 1 }, from: [ref('c')] } },
  access: [{ action: 'ALLOW', from: [ref('d')] }],
  subsets: [],
  exported: { hostname: 'x', virtualMesh: ref('vm') },
};

test('each part has its location, its policy field, its policies and its requests', () => {
  const found = viewParts(VIEW).map(({ path, field, from, match: requests, port }) => [
    path,
    field,
    from.map(({ name }) => name).join(),
    requests?.method,
    port,
  ]);
  assert.equal(found, [
    ['routes[0]', 'route', 'a', 'GET', 80],
    ['routes[0].actions.timeoutMs', 'requestTimeout', 'a,b', 'GET', 80],
    ['connection.pool', 'connectionPool', 'c', undefined, undefined],
    ['access[0]', 'access', 'd', undefined, undefined],
    ['exported', 'federation', 'vm', undefined, undefined],
  ]);
});

test('a view without a part differs in that part only, and the original view does not change', () => {
  const before = structuredClone(VIEW);
  const without = Object.fromEntries(viewParts(VIEW).map((part) => [part.path, part.without()]));
  assert.equal(without['routes[0]']?.routes, []);
  assert.equal(without['routes[0].actions.timeoutMs']?.routes[0]?.actions, {});
  assert.equal(without['connection.pool'], { ...VIEW, connection: {} });
  assert.equal('exported' in (without['exported'] ?? {}), false);
  assert.equal(VIEW, before);
});

test.run();
