/** Frequent parts become words; rare ones do not. */
import { assert, test } from '@meshrelay/testing';
import { KeyDictionary, MAX_WORDS } from '../../../src/graph/rows/key-dictionary.ts';

function requested(words: KeyDictionary, part: string, times: number): number | undefined {
  let number: number | undefined;
  for (let time = 0; time < times; time++) number = words.numberOf(part);
  return number;
}

test('a part becomes a word when it is frequent, and stays one', () => {
  const words = new KeyDictionary();
  assert.is(words.numberOf('"cluster-1",'), undefined);
  assert.is(requested(words, '"cluster-1",', 50), 0);
  assert.is(requested(words, '"cluster-2",', 50), 1);
  assert.is(words.numberOf('"cluster-1",'), 0);
  assert.is(words.word(1), '"cluster-2",');
});

test('parts that occur a few times each never become words, however many they are', () => {
  const words = new KeyDictionary();
  for (let name = 0; name < 20_000; name++) assert.is(requested(words, `"service-${name}",`, 5), undefined);
});

test('the number of words is limited', () => {
  const words = new KeyDictionary();
  for (let word = 0; word < MAX_WORDS; word++) assert.is(requested(words, `"${word}",`, 50), word);
  assert.is(requested(words, '"one more",', 50), undefined);
  assert.is(words.numberOf('"7",'), 7);
});

test.run();
