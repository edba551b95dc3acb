/** Exactly the duplicate members are found, at any position. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { duplicateFields } from '../../src/http/duplicate-fields.ts';

test('paths name objects and list items', () => {
  assert.equal(duplicateFields('{"a":1,"a":2}'), ['a']);
  assert.equal(duplicateFields('{"a":{"b":[{"c":1},{"c":1,"d":{},"c":2}]}}'), ['a.b[1].c']);
  assert.equal(duplicateFields('{"a":"{\\"x\\":1,\\"x\\":2}","b":[1,2]}'), []);
  assert.equal(duplicateFields('[[{"a":1,"a":1}]]'), ['[0][0].a']);
  assert.equal(duplicateFields('{"\\u0061":1,"a":1}'), ['a']);
});

test('property: the output of JSON.stringify has no duplicates', () => {
  fc.assert(fc.property(fc.json(), (text) => assert.equal(duplicateFields(text), [])));
});

test.run();
