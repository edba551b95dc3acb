/** Reading certificates once: the same text, the same bounds, and never more than so many. */
import { assert, test } from '@meshrelay/testing';
import { ReadLately } from '../../src/certificate/read-lately.ts';

const BOUNDS = { max: 4 };

test('the same text is read once', () => {
  const lately = new ReadLately<object>();
  const first = lately.get('a', BOUNDS, () => ({}));
  assert.is(
    lately.get('a', BOUNDS, () => ({})),
    first,
  );
});

test('other bounds read anew, since they may refuse', () => {
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

test('what is refused is refused again', () => {
  const lately = new ReadLately<number>();
  const refuse = (): never => {
    throw new Error('malformed');
  };
  assert.throws(() => lately.get('a', BOUNDS, refuse), /malformed/);
  assert.throws(() => lately.get('a', BOUNDS, refuse), /malformed/);
  assert.is(lately.size, 0);
});

test('the least recently asked for is forgotten first', () => {
  const lately = new ReadLately<string>();
  const ask = (text: string, made: string): string => lately.get(text, BOUNDS, () => made);
  for (let at = 0; at < 256; at++) ask(`${at}`, 'first');
  ask('0', 'second');
  ask('256', 'first');
  assert.is(lately.size, 256);
  assert.is(ask('0', 'third'), 'first');
  assert.is(ask('1', 'third'), 'third');
});

test('long texts are not kept', () => {
  const lately = new ReadLately<number>();
  lately.get('a'.repeat(20_000), BOUNDS, () => 1);
  assert.is(lately.size, 0);
});

test.run();
