/** Order of routes: the more specific first, in a total order that does not depend on the order of input. */

import type { RouteMatchView } from '@meshrelay/plugin';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/mod.ts';
import { compareSpecificity, matchesAll, matchView } from '../../../src/resolve/traffic/match-view.ts';

const uri = fc.oneof(
  fc.record({ exact: fc.constantFrom('/a', '/ab'), ignoreCase: fc.boolean() }),
  fc.record({ prefix: fc.constantFrom('/a', '/ab'), ignoreCase: fc.boolean() }),
  fc.record({ regex: fc.constantFrom('.*', '/a.'), ignoreCase: fc.constant(false) }),
  fc.record({ suffix: fc.constantFrom('a', 'ab'), ignoreCase: fc.boolean() }),
);
const header = fc.record(
  { name: fc.constantFrom('h', 'i'), value: fc.constantFrom('v', 'w'), regex: fc.boolean(), invert: fc.boolean() },
  { requiredKeys: ['name', 'regex', 'invert'] },
);
const match: fc.Arbitrary<RouteMatchView> = fc.record(
  {
    uri,
    headers: fc.array(header, { maxLength: 2 }),
    queryParameters: fc.array(header, { maxLength: 1 }),
    method: fc.constantFrom('GET', 'PUT'),
    sourceLabels: fc.constantFrom<Record<string, string>>({ a: '1' }, { a: '1', b: '2' }),
    sourceNamespace: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: ['headers', 'queryParameters'] },
);
const none: RouteMatchView = { headers: [], queryParameters: [] };
const named = (name: string, more: { value?: string; regex?: boolean; invert?: boolean } = {}) => ({
  name,
  regex: false,
  invert: false,
  ...more,
});

test('the order is the documented one', () => {
  const order: RouteMatchView[] = [
    { ...none, uri: { exact: '/long', ignoreCase: false } },
    { ...none, uri: { exact: '/a', ignoreCase: false } },
    { ...none, uri: { regex: '/a.*', ignoreCase: false } },
    { ...none, uri: { prefix: '/ab', ignoreCase: false }, method: 'GET' },
    { ...none, uri: { prefix: '/ab', ignoreCase: false } },
    { ...none, uri: { prefix: '/a', ignoreCase: false } },
    { ...none, uri: { suffix: 'a', ignoreCase: false } },
    { ...none, headers: [named('a'), named('b')] },
    { ...none, headers: [named('a', { value: 'v' })] },
    { ...none, headers: [named('a', { value: 'v', regex: true })] },
    { ...none, headers: [named('a')] },
    { ...none, queryParameters: [named('a', { value: 'v' })] },
    { ...none, queryParameters: [named('a')] },
    { ...none, sourceLabels: { a: '1', b: '2' } },
    { ...none, sourceLabels: { a: '1' } },
    { ...none, sourceNamespace: 'x' },
    { ...none, method: 'GET' },
    { ...none, headers: [named('a', { invert: true })] },
    none,
  ];
  assert.equal(order.toReversed().sort(compareSpecificity), order);
});

test('the order is total', () => {
  fc.assert(
    fc.property(match, match, match, (a, b, c) => {
      assert.is(Math.sign(compareSpecificity(a, b)), -Math.sign(compareSpecificity(b, a)) + 0);
      if (compareSpecificity(a, b) <= 0 && compareSpecificity(b, c) <= 0) assert.ok(compareSpecificity(a, c) <= 0);
    }),
    { numRuns: scaledRuns(1000) },
  );
});

test('sorting does not depend on the order of input', () => {
  fc.assert(
    fc.property(fc.array(match, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (matches, random) => {
      const shuffled = matches
        .map((one) => [random.next().value, one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one);
      // Compared as text: random values may differ in their prototype only.
      assert.is(
        canonicalJson(shuffled.toSorted(compareSpecificity)),
        canonicalJson(matches.toSorted(compareSpecificity)),
      );
    }),
  );
});

test('a route that matches everything is last', () => {
  fc.assert(
    fc.property(match, (one) => {
      if (matchesAll(one)) return;
      assert.ok(compareSpecificity(one, none) < 0);
    }),
  );
});

test('an empty header value matches any value', () => {
  assert.equal(matchView({ headers: [{ name: 'h', value: '' }] }, {}).headers, [named('h')]);
  assert.ok(matchesAll(matchView({ name: 'only a name' }, {})));
});

test('a path that every request matches is omitted', () => {
  const every = [{ prefix: '/' }, { prefix: '' }, { suffix: '' }, { prefix: '/', ignoreCase: true }];
  for (const path of every) assert.ok(matchesAll(matchView({ uri: path }, {})), JSON.stringify(path));
  const some = [{ exact: '/' }, { suffix: '/' }, { prefix: '/a' }, { regex: '.*' }];
  for (const path of some) assert.not.ok(matchesAll(matchView({ uri: path }, {})), JSON.stringify(path));
});

test.run();
