/** Precedence of policies: a total order, by the ledger, then by a fixed rule. */
import type { PolicyRef } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { comparePrecedence, compareRefs, mergeRefs, type Precedence } from '../../src/store/precedence.ts';

const word = fc.constantFrom('', 'a', 'b', 'B');
const ref: fc.Arbitrary<PolicyRef> = fc.record({
  kind: fc.constantFrom('AccessPolicy', 'TrafficPolicy'),
  cluster: word,
  namespace: word,
  name: word,
});
const precedence: fc.Arbitrary<Precedence> = fc.record({
  ref,
  sequence: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
});

const policy = (cluster: string, namespace: string, name: string, sequence = Number.POSITIVE_INFINITY): Precedence => ({
  sequence,
  ref: { kind: 'TrafficPolicy', cluster, namespace, name },
});

test('policies in the ledger come before others', () => {
  assert.ok(comparePrecedence(policy('z', 'z', 'z', 9), policy('', 'a', 'a')) < 0);
  assert.ok(comparePrecedence(policy('', 'a', 'a', 2), policy('z', 'z', 'z', 1)) > 0);
});

test('otherwise the management cluster comes first, then cluster, namespace, name', () => {
  const order = [
    policy('', 'b', 'b'),
    policy('a', 'a', 'a'),
    policy('a', 'a', 'b'),
    policy('a', 'b', 'a'),
    policy('b', 'a', 'a'),
  ];
  assert.equal(order.toReversed().sort(comparePrecedence), order);
});

test('the order is total: antisymmetric, transitive, zero for the same policy only', () => {
  fc.assert(
    fc.property(precedence, precedence, precedence, (a, b, c) => {
      assert.is(Math.sign(comparePrecedence(a, b)), -Math.sign(comparePrecedence(b, a)) + 0);
      if (comparePrecedence(a, b) <= 0 && comparePrecedence(b, c) <= 0) assert.ok(comparePrecedence(a, c) <= 0);
      assert.is(compareRefs(a.ref, b.ref) === 0, JSON.stringify(a.ref) === JSON.stringify(b.ref));
    }),
  );
});

test('merged refs keep their order, each once', () => {
  const [a, b, c] = [policy('', 'n', 'a').ref, policy('', 'n', 'b').ref, policy('', 'n', 'c').ref];
  assert.equal(mergeRefs([b, a], [{ ...a }, c], []), [b, a, c]);
});

test.run();
