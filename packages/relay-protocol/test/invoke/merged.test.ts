/** Several streams merged: order, backpressure, ends. */
import { assert, test } from '@meshrelay/testing';
import { Merged } from '../../src/invoke/merged.ts';

const settle = (): Promise<void> => new Promise((resume) => setImmediate(resume));

test('each source keeps its order, and a silent one delays no other', async () => {
  const silent = Promise.withResolvers<string>();
  async function* late(): AsyncGenerator<string> {
    yield await silent.promise;
  }
  async function* quick(): AsyncGenerator<string> {
    yield 'a';
    yield 'b';
    silent.resolve('last');
  }
  const seen: string[] = [];
  for await (const value of new Merged([late(), quick()])) seen.push(value);
  assert.equal(seen, ['a', 'b', 'last']);
});

test('at most one value per source is read ahead', async () => {
  let made = 0;
  async function* endless(): AsyncGenerator<number> {
    for (;;) yield ++made;
  }
  const reading = new Merged([endless(), endless()])[Symbol.asyncIterator]();
  await settle();
  assert.is(made, 2);
  await reading.next();
  await settle();
  assert.is(made, 2, 'what was read is replaced when more is asked for');
  await reading.next();
  await settle();
  assert.is(made, 3);
  await reading.return(undefined);
});

test('a source may be added while others are read', async () => {
  const gate = Promise.withResolvers<void>();
  async function* first(): AsyncGenerator<string> {
    yield 'first';
    await gate.promise;
  }
  async function* second(): AsyncGenerator<string> {
    yield 'second';
    gate.resolve();
  }
  const all = new Merged([first()]);
  const seen: string[] = [];
  for await (const value of all) {
    seen.push(value);
    if (value === 'first') all.add(second());
  }
  assert.equal(seen, ['first', 'second']);
});

test('a reader that stops ends the sources, and no more are added', async () => {
  let ended = 0;
  let requested = 0;
  const source = (): AsyncIterable<number> => ({
    [Symbol.asyncIterator]: () => ({
      next: () => {
        requested++;
        return requested === 1 ? Promise.resolve({ done: false as const, value: 1 }) : new Promise(() => undefined);
      },
      return: () => {
        ended++;
        return Promise.resolve({ done: true as const, value: undefined });
      },
    }),
  });
  const all = new Merged([source(), source()]);
  for await (const _ of all) break;
  assert.is(ended, 2);
  all.add(source());
  assert.is(requested, 2);
});

test('an error of one source ends the whole', async () => {
  async function* broken(): AsyncGenerator<number> {
    yield 1;
    throw new Error('broken');
  }
  const seen: number[] = [];
  try {
    for await (const value of new Merged([broken()])) seen.push(value);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'broken');
  }
  assert.equal(seen, [1]);
});

test.run();
