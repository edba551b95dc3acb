import { assert, test } from '@meshrelay/testing';
import { randomOf } from '../src/runtime/random.ts';
import { type Task, TaskQueue } from '../src/runtime/task-queue.ts';

test('tasks run by time, and tasks of one moment in the order of scheduling', () => {
  const random = randomOf('queue');
  const queue = new TaskQueue();
  for (let order = 0; order < 500; order++) queue.push(task(Math.floor(random() * 40), order));
  const taken = Array.from({ length: 500 }, () => queue.pop() as Task).map(({ time, order }) => time * 1_000 + order);
  assert.equal(
    taken,
    taken.toSorted((a, b) => a - b),
  );
  assert.is(queue.pop(), undefined);
});

test('numbers depend on the seed alone', () => {
  const [one, other, third] = ['s', 's', 't'].map((seed) => Array.from({ length: 5 }, randomOf(seed)));
  assert.equal(one, other);
  assert.not.equal(one, third);
});

function task(time: number, order: number): Task {
  return { time, order, owner: undefined, run: () => {}, timer: false, suspended: 0, cancelled: false };
}

test.run();
