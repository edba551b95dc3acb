/** Number of random runs and cases at each scale. */
import process from 'node:process';
import { assert, scaledInDeno, scaledRuns, scaledSample, test } from '../src/mod.ts';
import { TEST_SCALE } from '../src/scale.ts';

const before = process.env[TEST_SCALE];
const at = (scale: string | undefined): void => {
  if (scale === undefined) delete process.env[TEST_SCALE];
  else process.env[TEST_SCALE] = scale;
};
test.after.each(() => at(before));

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzabcdefghijklmn'];

test('a manual run tries a twentieth, but at least ten if that many are requested', () => {
  at(undefined);
  assert.equal([scaledRuns(1000), scaledRuns(100), scaledRuns(4)], [50, 10, 4]);
  assert.equal([scaledRuns(1000, { least: 4 }), scaledRuns(40, { least: 4 }), scaledRuns(3, { least: 4 })], [50, 4, 3]);
  assert.equal(scaledSample(LETTERS), ['a', 'u']);
  assert.equal(scaledSample(['only']), ['only']);
  assert.equal(scaledSample(LETTERS, { least: 4 }), ['a', 'k', 'u', 'e']);
  assert.equal(scaledSample(['only'], { least: 4 }), ['only']);
  assert.equal(scaledSample([...LETTERS, ...LETTERS], { uses: 2 }), ['a', 'a']);
});

test('1 tries all, 10 ten times as many random values and every case once', () => {
  at('1');
  assert.is(scaledRuns(300), 300);
  assert.is(scaledRuns(300, { least: 4 }), 300);
  assert.equal(scaledSample(LETTERS), LETTERS);
  assert.equal(scaledSample(LETTERS, { uses: 3 }), LETTERS);
  at('10');
  assert.is(scaledRuns(300), 3000);
  assert.equal(scaledSample(LETTERS), LETTERS);
});

test('Deno tries a twentieth of what Node tries, and no less than a manual run', () => {
  assert.equal(scaledInDeno(LETTERS), LETTERS);
  Object.defineProperty(globalThis, 'Deno', { value: {}, configurable: true });
  try {
    for (const scale of [undefined, '1']) {
      at(scale);
      assert.equal(scaledInDeno(LETTERS), ['a', 'u']);
      assert.equal(scaledSample(LETTERS), ['a', 'u']);
      assert.is(scaledRuns(1000), 50);
    }
    at('0.01');
    assert.is(scaledRuns(10_000), 100);
    at('10');
    assert.is(scaledRuns(1000), 500);
    assert.is(scaledInDeno(LETTERS).length, LETTERS.length / 2);
  } finally {
    Reflect.deleteProperty(globalThis, 'Deno');
  }
});

for (const scale of ['0', '-1', 'much', 'Infinity']) {
  test(`rejects ${scale}`, () => {
    at(scale);
    assert.throws(() => scaledRuns(10), new RegExp(`MESHRELAY_TEST_SCALE is "${scale}"; expected a number above 0`));
  });
}

test.run();
