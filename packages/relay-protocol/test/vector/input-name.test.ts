/** Names of inputs, and which of them led from one vector to the next. */
import { assert, test } from '@meshrelay/testing';
import { GONE, type InputVector, inputName, movedInputs } from '../../src/mod.ts';

const before: InputVector = new Map([
  ['c1', { term: 1, seq: 5 }],
  ['c2', { term: 3, seq: 9 }],
  ['/TrafficPolicy', { term: 812, seq: 0 }],
]);

test('an input is named by its cluster, term and number', () => {
  assert.is(inputName('c1', { term: 3, seq: 17 }), 'c1/3/17');
  assert.is(inputName('/TrafficPolicy', { term: 812, seq: 1 }), '/TrafficPolicy/812/1');
});

test('moved inputs are the newer ones, including new components', () => {
  const next: InputVector = new Map([
    ...before,
    ['c1', { term: 1, seq: 6 }],
    ['c2', { term: 3, seq: 8 }],
    ['c3', { term: 1, seq: 1 }],
  ]);
  assert.equal(movedInputs(next, before, 10), ['c1/1/6', 'c3/1/1']);
  assert.equal(movedInputs(next, before, 1), ['c1/1/6']);
  assert.equal(movedInputs(before, before, 10), []);
});

test('a deleted input has no number', () => {
  assert.equal(movedInputs(new Map([['c1', GONE]]), before, 10), []);
  assert.equal(movedInputs(new Map([['c1', { term: 2, seq: 1 }]]), new Map([['c1', GONE]]), 10), ['c1/2/1']);
});

test.run();
