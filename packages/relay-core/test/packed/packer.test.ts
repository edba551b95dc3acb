/** Putting values away page by page, and making sparse pages anew. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { Packed } from '../../src/packed/packed.ts';
import { Packer } from '../../src/packed/packer.ts';
import { smallPages } from '../support/fleet-states.ts';

const PAGE = 10;

function packerOf(pageLength = PAGE) {
  const packer = new Packer({ ...smallPages, pageLength });
  const rest = (): void => {
    while (packer.step());
  };
  return { packer, rest };
}

test('values are put away once they fill a page', () => {
  const { packer, rest } = packerOf();
  const values = ['aaaa', 'bbbb', 'cc'].map((text) => new Packed(text));
  for (const value of values) packer.add(value);
  rest();
  assert.equal(
    values.map(({ page }) => page !== undefined),
    [true, true, false],
    'quotes count',
  );
  assert.equal(packer.sizes, { live: 2, dead: 0, waiting: 1 });
  assert.equal(
    values.map(({ value }) => value),
    ['aaaa', 'bbbb', 'cc'],
  );
});

test('what has gone before its page was full is in no page', () => {
  const { packer, rest } = packerOf();
  const [early, late, stays] = ['early', 'late', 'stays'].map((text) => new Packed(text));
  packer.add(late as Packed<string>);
  rest();
  packer.add(early as Packed<string>);
  packer.drop(late as Packed<string>);
  packer.drop(early as Packed<string>);
  packer.add(stays as Packed<string>);
  rest();
  assert.equal(packer.sizes, { live: 0, dead: 0, waiting: 1 });
});

test('whoever still holds what has gone can read it', () => {
  const { packer, rest } = packerOf();
  const values = ['aaaaa', 'bbbbb'].map((text) => new Packed(text));
  for (const value of values) packer.add(value);
  rest();
  for (const value of values) packer.drop(value);
  assert.equal(
    values.map(({ value }) => value),
    ['aaaaa', 'bbbbb'],
  );
  assert.equal(packer.sizes, { live: 0, dead: 0, waiting: 0 }, 'a page that is nobody’s counts no more');
});

test('what cannot be written as JSON stays as it is', () => {
  const { packer, rest } = packerOf(1);
  const [bad, good] = [new Packed<unknown>(1n), new Packed<unknown>('good')];
  packer.add(bad);
  packer.add(good);
  rest();
  assert.equal([bad.value, bad.page, good.page === undefined], [1n, undefined, false]);
  assert.not(bad.sameText(good));
  assert.not(good.sameText(bad));
});

test('a page that is mostly dead is made anew, and nothing else', () => {
  const { packer, rest } = packerOf(40);
  const values = Array.from({ length: 20 }, (_, nth) => new Packed(`value ${nth + 10}`));
  for (const value of values) packer.add(value);
  rest();
  const stays = new Set([0, 4, 8, 9, 10, 11, 12].map((nth) => values[nth] as Packed<string>));
  for (const value of values) if (!stays.has(value)) packer.drop(value);
  assert.equal(packer.sizes, { live: 7, dead: 9, waiting: 0 });
  assert.ok(packer.isSparse);
  const full = values[8]?.page;
  packer.repack(stays);
  assert.is(packer.sizes['waiting'], 3);
  packer.add(new Packed('value 99'));
  rest();
  assert.equal(packer.sizes, { live: 8, dead: 0, waiting: 0 });
  assert.is(values[8]?.page, full);
  assert.equal(
    [...stays].map(({ value }) => value).join(),
    [0, 4, 8, 9, 10, 11, 12].map((nth) => `value ${nth + 10}`).join(),
  );
});

test('whatever comes and goes, each living value reads as it was and pages stay at least half alive', () => {
  const events = fc.array(fc.record({ add: fc.boolean(), at: fc.nat(), rest: fc.boolean() }), { maxLength: 120 });
  fc.assert(
    fc.property(events, (steps) => {
      const { packer, rest } = packerOf(60);
      const living: { packed: Packed<string>; text: string }[] = [];
      for (const [nth, step] of steps.entries()) {
        if (step.add || living.length === 0) {
          const text = `value ${nth} ${'x'.repeat(step.at % 30)}`;
          living.push({ packed: new Packed(text), text });
          packer.add(living.at(-1)?.packed as Packed<string>);
        } else {
          const [gone] = living.splice(step.at % living.length, 1);
          packer.drop(gone?.packed as Packed<string>);
        }
        if (!step.rest) continue;
        if (packer.isSparse) packer.repack(living.map(({ packed }) => packed));
        rest();
        const { live = 0, waiting = 0, dead = 0 } = packer.sizes;
        assert.is(live, living.filter(({ packed }) => packed.page !== undefined).length);
        assert.ok(live + waiting >= living.length, 'none is lost');
        const pages = new Set(living.flatMap(({ packed: { page } }) => page ?? []));
        assert.is([...pages].reduce((sum, { size }) => sum + size, 0) - live, dead);
      }
      for (const { packed, text } of living) assert.is(packed.value, text);
    }),
  );
});

test.run();
