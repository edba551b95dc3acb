/** JSON patches: each operation, pointers, and all-or-nothing. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type Json, StatusError } from '../../src/object.ts';
import { applyJsonPatch } from '../../src/patch/json-patch.ts';

const performed: [name: string, document: Json, patch: Json, expected: Json][] = [
  ['add a member', { a: 1 }, [{ op: 'add', path: '/b', value: 2 }], { a: 1, b: 2 }],
  ['add replaces a member', { a: 1 }, [{ op: 'add', path: '/a', value: null }], { a: null }],
  ['add into a list', { l: [1, 3] }, [{ op: 'add', path: '/l/1', value: 2 }], { l: [1, 2, 3] }],
  ['append to a list', { l: [1] }, [{ op: 'add', path: '/l/-', value: [2] }], { l: [1, [2]] }],
  ['replace the document', { a: 1 }, [{ op: 'add', path: '', value: [] }], []],
  ['remove a member', { a: 1, b: 2 }, [{ op: 'remove', path: '/a' }], { b: 2 }],
  ['remove from a list', { l: [1, 2, 3] }, [{ op: 'remove', path: '/l/1' }], { l: [1, 3] }],
  ['replace adds a member, as the real server does', {}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
  ['replace in a list', { l: [1, 2] }, [{ op: 'replace', path: '/l/0', value: { x: 1 } }], { l: [{ x: 1 }, 2] }],
  ['replace a member that is not there', {}, [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
  ['move a member', { a: { b: 1 } }, [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: 1 }],
  ['move within a list', { l: [1, 2, 3] }, [{ op: 'move', from: '/l/0', path: '/l/2' }], { l: [2, 3, 1] }],
  [
    'copy a value',
    { a: [1] },
    [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/-', value: 2 },
    ],
    { a: [1], b: [1, 2] },
  ],
  [
    'escaped names',
    { 'a/b': 1, 'm~n': 2 },
    [
      { op: 'remove', path: '/a~1b' },
      { op: 'replace', path: '/m~0n', value: 3 },
    ],
    { 'm~n': 3 },
  ],
  ['test a value', { a: { b: [1] } }, [{ op: 'test', path: '/a', value: { b: [1] } }], { a: { b: [1] } }],
  ['test that a member is absent', { a: 1 }, [{ op: 'test', path: '/b', value: null }], { a: 1 }],
  [
    'a member named like a prototype',
    {},
    [{ op: 'add', path: '/__proto__', value: { x: 1 } }],
    JSON.parse('{"__proto__":{"x":1}}'),
  ],
];

for (const [name, document, patch, expected] of performed) {
  test(name, () => assert.equal(applyJsonPatch(document, patch), expected));
}

const refused: [name: string, document: Json, patch: Json, code: number][] = [
  ['a failing test', { a: 1 }, [{ op: 'test', path: '/a', value: 2 }], 422],
  ['a missing path', { a: 1 }, [{ op: 'remove', path: '/b' }], 422],
  ['a missing parent', { a: 1 }, [{ op: 'add', path: '/b/c', value: 1 }], 422],
  ['replacing an item that is not there', { l: [] }, [{ op: 'replace', path: '/l/0', value: 1 }], 422],
  ['an index past the end', { l: [1] }, [{ op: 'add', path: '/l/2', value: 1 }], 422],
  ['an index with a leading zero', { l: [1, 2] }, [{ op: 'remove', path: '/l/01' }], 422],
  ['an inherited member', {}, [{ op: 'test', path: '/constructor/name', value: 'Object' }], 422],
  ['moving into itself', { a: { b: 1 } }, [{ op: 'move', from: '/a', path: '/a/b' }], 422],
  ['an unknown operation', {}, [{ op: 'merge', path: '/a', value: 1 }], 422],
  ['an operation without a path', {}, [{ op: 'remove' }], 422],
  ['an addition without a value', {}, [{ op: 'add', path: '/a' }], 422],
  ['a patch that is not a list', {}, { op: 'add' }, 400],
  ['an operation that is not an object', {}, ['add'], 400],
  ['too many operations', {}, Array.from({ length: 10_001 }, () => ({ op: 'add', path: '/a', value: 1 })), 413],
];

for (const [name, document, patch, code] of refused) {
  test(`rejects ${name}`, () => {
    assert.throws(
      () => applyJsonPatch(document, patch),
      (error: unknown) => error instanceof StatusError && error.status.code === code,
    );
  });
}

test('a rejection has the text of the real server, with the actual fault as its cause', () => {
  try {
    applyJsonPatch({ a: 1 }, [{ op: 'remove', path: '/b' }]);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, StatusError);
    assert.equal((error as StatusError).status, {
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    });
    assert.match(String((error as StatusError).cause), '/b does not exist');
  }
});

test('property: a rejected patch changes nothing, and an applied one never changes the original', () => {
  const path = fc.constantFrom('', '/a', '/a/b', '/l', '/l/0', '/l/-', '/c');
  const operation = fc.record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path,
    from: path,
    value: fc.jsonValue() as fc.Arbitrary<Json>,
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 6 }), (patch) => {
      const document: Json = { a: { b: 1 }, l: [1, 2] };
      try {
        applyJsonPatch(document, patch);
      } catch (error) {
        assert.instance(error, StatusError);
      }
      assert.equal(document, { a: { b: 1 }, l: [1, 2] });
    }),
    { numRuns: scaledRuns(500) },
  );
});

test('property: adding and then removing a member restores the document', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
      fc.string(),
      fc.jsonValue(),
      (document, name, value) => {
        fc.pre(!Object.hasOwn(document, name));
        const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        const patch = [
          { op: 'add', path, value: value as Json },
          { op: 'test', path, value: value as Json },
          { op: 'remove', path },
        ];
        assert.equal(applyJsonPatch(document as Json, patch), document);
      },
    ),
  );
});

test.run();
