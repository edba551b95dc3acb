/** Pages are removed oldest first, except the one that is being written. */
import { assert, test } from '@meshrelay/testing';
import { KEEP_ALL } from '../../src/filter/compiled-rules.ts';
import { Page } from '../../src/ring/page.ts';
import { PageQueue } from '../../src/ring/page-queue.ts';

const reporter = { address: 'a', cluster: 'c', workload: undefined, node: { id: '', cluster: '' }, logName: '' };
const pageOf = (sequence: number): Page => new Page({ reporter, rules: KEEP_ALL, sequence }, 16);
const order = (queue: PageQueue): number[] => [...queue].map(({ sequence }) => sequence);

test('the oldest is removed first; the spared one stays, and is not removed when alone', () => {
  const queue = new PageQueue();
  const pages = Array.from({ length: 4 }, (_, at) => pageOf(at));
  for (const page of pages) queue.add(page);
  const spared = pages[1] as Page;
  assert.equal(
    [queue.take(spared), queue.take(spared), queue.take(spared), queue.take(spared)].map((page) => page?.sequence),
    [0, 2, 3, undefined],
  );
  assert.equal([order(queue), queue.size, queue.oldest?.sequence], [[1], 1, 1]);
  assert.is(new PageQueue().take(spared), undefined);
});

test('slots of removed pages are reused', () => {
  const queue = new PageQueue();
  const spared = pageOf(-1);
  for (let at = 0; at < 1_000; at++) queue.add(pageOf(at));
  for (let at = 0; at < 900; at++) assert.is(queue.take(spared)?.sequence, at);
  for (let at = 1_000; at < 1_050; at++) queue.add(pageOf(at));
  assert.equal(
    order(queue),
    Array.from({ length: 150 }, (_, at) => 900 + at),
  );
});

test.run();
