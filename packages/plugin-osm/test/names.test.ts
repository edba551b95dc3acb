/** Names of generated objects: valid and unique. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { callerName, grantName, portsName, requestsName, serviceName } from '../src/names.ts';

const LEGAL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const label = fc.stringMatching(/^[ab]{1,2}$/);
const accountName = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));
const longName = fc
  .tuple(fc.constantFrom('c', 'd'), fc.integer({ min: 200, max: 252 }))
  .map(([last, length]) => `${'x.'.repeat(length).slice(0, length).replace(/\.$/, 'x')}${last}`);
const account = fc.record({ namespace: label, name: fc.oneof(accountName, longName) });
const ports = fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }).map((list) => list.sort());

test('a name describes its object', () => {
  const caller = { namespace: 'shop', name: 'buyer' };
  assert.is(serviceName('books'), 'meshrelay-books');
  assert.is(requestsName('books'), 'meshrelay-books');
  assert.is(callerName('books', caller), 'meshrelay-books.shop.buyer');
  assert.is(grantName('books', caller, []), 'meshrelay-books.shop.buyer');
  assert.is(grantName('books', caller, [80, 8080]), 'meshrelay-books.shop.buyer.80-8080');
  assert.is(portsName([80, 8080]), 'meshrelay-ports.80-8080');
});

test('property: grants with different parts have different, valid names', () => {
  const grant = fc.tuple(fc.oneof(accountName, longName), account, ports);
  fc.assert(
    fc.property(grant, grant, (one, other) => {
      const [a, b] = [grantName(...one), grantName(...other)];
      assert.ok(LEGAL.test(a) && a.length <= 253, `${a} is not a valid object name`);
      assert.is(a === b, JSON.stringify(one) === JSON.stringify(other));
    }),
    { numRuns: scaledRuns(3000) },
  );
});

test('a thousand ports still have a valid name', () => {
  const many = Array.from({ length: 1000 }, (_, index) => 1024 + index);
  assert.ok(LEGAL.test(portsName(many)));
  assert.is.not(portsName(many), portsName(many.slice(1)));
});

test.run();
