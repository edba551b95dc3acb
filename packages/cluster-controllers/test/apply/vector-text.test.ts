/** Vectors survive storage in the ledger. */
import { GONE, type InputVector, type InputVersion } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { vectorFromText, vectorToText } from '../../src/apply/vector-text.ts';

test('a vector is restored unchanged, sorted by name', () => {
  const vector: InputVector = new Map<string, InputVersion | typeof GONE>([
    ['c2', { term: 3, seq: 40 }],
    ['/Settings', { term: 0, seq: 1234567 }],
    ['c1', GONE],
  ]);
  const text = vectorToText(vector);
  assert.equal(Object.entries(text), [
    ['/Settings', '0/1234567'],
    ['c1', 'gone'],
    ['c2', '3/40'],
  ]);
  assert.equal(new Map([...vectorFromText(text)].sort()), new Map([...vector].sort()));
});

test('an invalid vector is an error that names the component', () => {
  for (const text of ['', '1', '1/', '-1/2', '1/2/3', 'Gone', '1e3/2']) {
    assert.throws(() => vectorFromText({ c1: text }), /inputVector\[c1\]/, text);
  }
});

test.run();
