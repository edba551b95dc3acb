/** The arithmetic of rollouts. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type Generation, nextStep, type RolloutTarget } from '../../src/controllers/rolling-update.ts';

const steady = (replicas: number): Generation => ({ replicas, existing: replicas, available: replicas });
const target = (desired: number, rest: Partial<RolloutTarget> = {}): RolloutTarget => ({
  desired,
  strategy: 'RollingUpdate',
  maxSurge: '25%',
  maxUnavailable: '25%',
  ...rest,
});

test('percentages round up for surge and down for unavailable pods', () => {
  assert.equal(nextStep(target(3), steady(0), [steady(3)]), { current: 1, old: [3] });
  assert.equal(nextStep(target(4), steady(0), [steady(4)]), { current: 1, old: [3] });
});

test('if both are zero, one pod may be missing, since nothing could proceed otherwise', () => {
  assert.equal(nextStep(target(2, { maxSurge: 0, maxUnavailable: 0 }), steady(0), [steady(2)]), {
    current: 0,
    old: [1],
  });
});

test('old pods wait for new ones to be available', () => {
  const starting = { replicas: 1, existing: 1, available: 0 };
  assert.equal(nextStep(target(3), starting, [steady(3)]), { current: 1, old: [3] });
});

test('the oldest generation is removed first', () => {
  assert.equal(nextStep(target(4), steady(1), [steady(1), steady(3)]).old, [0, 2]);
});

test('Recreate waits until the last old pod is deleted', () => {
  const recreate = target(2, { strategy: 'Recreate' });
  assert.equal(nextStep(recreate, steady(0), [steady(2)]), { current: 0, old: [0] });
  assert.equal(nextStep(recreate, steady(0), [{ replicas: 0, existing: 1, available: 1 }]), { current: 0, old: [0] });
  assert.equal(nextStep(recreate, steady(0), [steady(0)]), { current: 2, old: [0] });
});

test('property: every rollout ends with only the current generation, and stays within its bounds', () => {
  const amount = fc.oneof(
    fc.nat(5),
    fc.nat(100).map((percent) => `${percent}%`),
  );
  fc.assert(
    fc.property(
      fc.nat(12),
      fc.nat(12),
      fc.array(fc.nat(12), { maxLength: 3 }),
      amount,
      amount,
      (desired, first, olds, maxSurge, maxUnavailable) => {
        const requested = target(desired, { maxSurge, maxUnavailable });
        let [current, old] = [steady(first), olds.map(steady)];
        for (let turn = 0; turn < 200; turn++) {
          const step = nextStep(requested, current, old);
          const total = step.current + step.old.reduce((sum, each) => sum + each, 0);
          const before = current.replicas + old.reduce((sum, each) => sum + each.replicas, 0);
          const surge =
            typeof maxSurge === 'number' ? maxSurge : Math.ceil((Number.parseInt(maxSurge, 10) / 100) * desired);
          assert.ok(total <= Math.max(before, desired + surge), 'never more than surge allows');
          [current, old] = [steady(step.current), step.old.map(steady)];
        }
        assert.equal([current.replicas, ...old.map(({ replicas }) => replicas)], [desired, ...olds.map(() => 0)]);
      },
    ),
    { numRuns: scaledRuns(500) },
  );
});

test.run();
