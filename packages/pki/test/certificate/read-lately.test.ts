/** Cache of parsed certificates: by text and limits, and bounded in size. */
import { assert, test } from '@meshrelay/testing';
import { ReadLately } from '../../src/certificate/read-lately.ts';

const BOUNDS = { max: 4 };

test('the same text is parsed once', () => {
  const lately = new ReadLately<object>();
  const first = lately.get('a', BOUNDS, () => ({}));
  assert.is(
    lately.get('a', BOUNDS, () => ({})),
    first,
  );
});

test('other limits are parsed again, since they may reject', () => {
  const lately = new ReadLately<number>();
  lately.get('a', { max: 4, allowText: true }, () => 1);
  assert.is(
    lately.get('a', { max: 4 }, () => 2),
    2,
  );
  assert.is(
    lately.get('a', { max: 1, allowText: true }, () => 3),
    3,
  );
});

test('a rejected text is rejected again', () => {
  const lately = new ReadLately<number>();
  const refuse = (): never => {
    throw new Error('malformed');
  };
  assert.throws(() => lately.get('a', BOUNDS, refuse), /malformed/);
  assert.throws(() => lately.get('a', BOUNDS, refuse), /malformed/);
  assert.is(lately.size, 0);
});

test('the least recently used is evicted first', () => {
  const lately = new ReadLately<string>();
  const ask = (text: string, made: string): string => lately.get(text, BOUNDS, () => made);
  for (let at = 0; at < 256; at++) ask(`${at}`, 'first');
  ask('0', 'second');
  ask('256', 'first');
  assert.is(lately.size, 256);
  assert.is(ask('0', 'third'), 'first');
  assert.is(ask('1', 'third'), 'third');
});

test('long texts are not cached', () => {
  const lately = new ReadLately<number>();
  lately.get('a'.repeat(20_000), BOUNDS, () => 1);
  assert.is(lately.size, 0);
});

test.run();
