/** Packing values page by page, and rewriting sparse pages. */
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

test('values are packed once they fill a page', () => {
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

test('a value dropped before its page was full is in no page', () => {
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

test('a dropped value stays readable while it is referenced', () => {
  const { packer, rest } = packerOf();
  const values = ['aaaaa', 'bbbbb'].map((text) => new Packed(text));
  for (const value of values) packer.add(value);
  rest();
  for (const value of values) packer.drop(value);
  assert.equal(
    values.map(({ value }) => value),
    ['aaaaa', 'bbbbb'],
  );
  assert.equal(packer.sizes, { live: 0, dead: 0, waiting: 0 }, 'a page without references does not count');
});

test('a value without a JSON form is not packed', () => {
  const { packer, rest } = packerOf(1);
  const [bad, good] = [new Packed<unknown>(1n), new Packed<unknown>('good')];
  packer.add(bad);
  packer.add(good);
  rest();
  assert.equal([bad.value, bad.page, good.page === undefined], [1n, undefined, false]);
  assert.not(bad.sameText(good));
  assert.not(good.sameText(bad));
});

test('only a page with mostly dead values is rewritten', () => {
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

test('after any additions and drops, each live value reads the same, and pages are at least half live', () => {
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
