/** One timer for many checks. */
import { assert, test } from '@meshrelay/testing';
import { SharedInterval } from '../../src/grpc/rounds.ts';

/** Checks that record their names; resolves at the n-th of them. */
class Diary {
  readonly names: string[] = [];
  #required = Number.POSITIVE_INFINITY;
  #enough: (() => void) | undefined;

  check(name: string): () => void {
    return () => {
      this.names.push(name);
      if (this.names.length >= this.#required) this.#enough?.();
    };
  }

  async more(count: number): Promise<void> {
    this.#required = this.names.length + count;
    await new Promise<void>((resolve) => {
      this.#enough = resolve;
    });
  }
}

test('every check runs in each interval, in joining order, until it is removed', async () => {
  const [rounds, diary] = [new SharedInterval(1, { holds: true }), new Diary()];
  const [first, second] = [rounds.join(diary.check('a')), rounds.join(diary.check('b'))];
  await diary.more(4);
  assert.equal(diary.names.slice(0, 4), ['a', 'b', 'a', 'b']);
  first();
  first();
  diary.names.length = 0;
  await diary.more(2);
  assert.equal(diary.names.slice(0, 2), ['b', 'b']);
  second();
});

test('a check that joins after all were removed runs', async () => {
  const [rounds, diary] = [new SharedInterval(1, { holds: true }), new Diary()];
  rounds.join(diary.check('a'))();
  const leave = rounds.join(diary.check('b'));
  await diary.more(2);
  assert.equal([...new Set(diary.names)], ['b']);
  leave();
});

test('a check that is removed within an interval does not run in it', async () => {
  const [rounds, diary] = [new SharedInterval(1, { holds: true }), new Diary()];
  const leaves: Array<() => void> = [];
  leaves.push(rounds.join(() => leaves[1]?.()));
  leaves.push(rounds.join(diary.check('gone')));
  leaves.push(rounds.join(diary.check('here')));
  await diary.more(2);
  assert.equal([...new Set(diary.names)], ['here']);
  for (const leave of leaves) leave();
});

test.run();
