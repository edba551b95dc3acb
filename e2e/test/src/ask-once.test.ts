/** External programs get equal questions once, and each question has its answer. */
import { assert, test } from '@meshrelay/testing';
import { askOnce } from '../../src/ask-once.ts';

test('equal questions are sent once, and answers have the order of the questions', () => {
  const sent: string[][] = [];
  const answers = askOnce(['b', 'a', 'b', 'c', 'a'], (different) => {
    sent.push([...different]);
    return different.map((question) => `to ${question}`);
  });
  assert.equal(sent, [['b', 'a', 'c']]);
  assert.equal(answers, ['to b', 'to a', 'to b', 'to c', 'to a']);
});

test.run();
