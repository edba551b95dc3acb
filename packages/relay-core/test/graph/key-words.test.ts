/** What comes again and again becomes a word; what comes once does not. */
import { assert, test } from '@meshrelay/testing';
import { KeyWords, MOST_WORDS } from '../../src/graph/key-words.ts';

function asked(words: KeyWords, part: string, times: number): number | undefined {
  let number: number | undefined;
  for (let time = 0; time < times; time++) number = words.numberOf(part);
  return number;
}

test('a part becomes a word when it is frequent, and stays one', () => {
  const words = new KeyWords();
  assert.is(words.numberOf('"cluster-1",'), undefined);
  assert.is(asked(words, '"cluster-1",', 50), 0);
  assert.is(asked(words, '"cluster-2",', 50), 1);
  assert.is(words.numberOf('"cluster-1",'), 0);
  assert.is(words.word(1), '"cluster-2",');
});

test('names that come a few times each never become words, however many they are', () => {
  const words = new KeyWords();
  for (let name = 0; name < 20_000; name++) assert.is(asked(words, `"service-${name}",`, 5), undefined);
});

test('there are so many and no more', () => {
  const words = new KeyWords();
  for (let word = 0; word < MOST_WORDS; word++) assert.is(asked(words, `"${word}",`, 50), word);
  assert.is(asked(words, '"one more",', 50), undefined);
  assert.is(words.numberOf('"7",'), 7);
});

test.run();
