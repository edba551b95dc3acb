/** Route configurations composed from hosts of many objects: complete, ordered, and never invalidated by one host. */
import type { JsonObject } from '@bufbuild/protobuf';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { ComposedRoutes, type ObjectSpec } from '../../src/routes/composed-routes.ts';

const host = (name: string, ...domains: readonly string[]) => ({
  type: 'virtualHost',
  name: `outbound/${name}`,
  value: { name, domains: domains.length === 0 ? [name] : [...domains] } as JsonObject,
});

/** Received objects, by name. */
function taker() {
  const taken = new Map<string, ObjectSpec>();
  const routes = new ComposedRoutes<ObjectSpec>({
    set: (name, spec) => void taken.set(name, spec),
    delete: (name) => void taken.delete(name),
  });
  const names = (): readonly unknown[] | undefined =>
    (taken.get('routes of outbound')?.resources?.[0]?.value['virtual_hosts'] as readonly JsonObject[] | undefined)?.map(
      ({ name }) => name,
    );
  return { taken, routes, names };
}

test('hosts of many objects are one route configuration, in the order of their names', () => {
  const { taken, routes, names } = taker();
  routes.set('one', { resources: [host('b')] });
  routes.set('two', { resources: [host('c'), host('a')] });
  assert.is(names(), undefined, 'not before all are there');
  routes.flush();
  assert.equal(names(), ['a', 'b', 'c']);
  assert.equal(taken.get('one'), { resources: [] });
  routes.delete('two');
  routes.flush();
  assert.equal(names(), ['b']);
  routes.delete('one');
  routes.flush();
  assert.is(taken.size, 0);
});

test('all other resources pass through unchanged', () => {
  const { taken, routes } = taker();
  const spec = { proxies: [{ namespace: 'x' }], resources: [{ type: 'cluster', name: 'c', value: { name: 'c' } }] };
  routes.set('one', spec);
  assert.is(taken.get('one'), spec);
});

test('an unreadable host, and one with a duplicate domain, are left out alone', () => {
  const { routes, names } = taker();
  const unreadable = { ...host('b'), value: { name: 'b', nonsense: true } as JsonObject };
  routes.set('one', { resources: [host('a', 'same'), unreadable] });
  routes.set('two', { resources: [host('c', 'same', 'other'), host('d', 'other')] });
  routes.flush();
  assert.equal(names(), ['a', 'd']);
  assert.equal(
    routes.problems().map(({ object, host: id }) => [object, id]),
    [
      ['one', 'outbound/b'],
      ['two', 'outbound/c'],
    ],
  );
  routes.set('one', { resources: [host('b')] });
  routes.flush();
  assert.equal(names(), ['b', 'c']);
  assert.is(routes.problems().length, 1, 'the domain of d is now of c');
});

test('the result is independent of the order in which objects are added and removed', () => {
  const object = fc.record({
    name: fc.constantFrom('x', 'y', 'z'),
    hosts: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    flush: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(object, { maxLength: 12 }), (steps) => {
      const [stepwise, atOnce] = [taker(), taker()];
      const left = new Map<string, readonly string[]>();
      for (const { name, hosts, flush } of steps) {
        if (hosts.length === 0) stepwise.routes.delete(name);
        else stepwise.routes.set(name, { resources: hosts.map((one) => host(one)) });
        left.set(name, hosts);
        if (flush) stepwise.routes.flush();
      }
      for (const [name, hosts] of left)
        if (hosts.length > 0) atOnce.routes.set(name, { resources: hosts.map((one) => host(one)) });
      stepwise.routes.flush();
      atOnce.routes.flush();
      assert.equal(stepwise.names(), atOnce.names());
    }),
  );
});

test.run();
