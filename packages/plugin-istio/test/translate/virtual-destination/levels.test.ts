/**
 * Levels of failover, evaluated by Istio's rule: the first label that an endpoint does not share with the caller
 * determines its level.
 */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type Levels, levels } from '../../../src/translate/virtual-destination/levels.ts';

/** The level that Istio gives an endpoint, for a caller without Meshrelay's labels. */
function levelIn({ failoverPriority }: Levels, labels: Readonly<Record<string, string>>): number {
  const first = failoverPriority.findIndex((entry) => {
    const [label = '', value = ''] = entry.split('=');
    return (labels[label] ?? '') !== value;
  });
  return first < 0 ? 0 : failoverPriority.length - first;
}

test('endpoints have the levels of their groups, and pods without any label have the level of their group', () => {
  const priorities = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(priorities, fc.nat(6), (given, pick) => {
      const ofPods = given[pick];
      const found = levels(given, ofPods);
      const order = [...given].sort((a, b) => a - b);
      for (const priority of given) {
        const labels = priority === ofPods ? {} : found.labelsOf(priority);
        assert.is(levelIn(found, labels), order.indexOf(priority), `${given} with pods at ${ofPods}`);
      }
    }),
  );
});

test('one level needs no labels', () => {
  const { failoverPriority, labelsOf } = levels([3, 3], 3);
  assert.equal(failoverPriority, []);
  assert.equal(labelsOf(3), {});
});

test('all labels are Meshrelay labels, each requested once', () => {
  const names = levels([0, 1, 2, 3], 1).failoverPriority.map((entry) => entry.split('=')[0] ?? '');
  assert.is(new Set(names).size, 3);
  assert.ok(names.every((name) => name.startsWith('meshrelay.dev/')));
});

test.run();
