/** The order of input vectors, and vectors on the wire. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { compareVectors, GONE, type InputVector } from '../../src/vector/input-vector.ts';
import { VectorAssembler, vectorUpdates } from '../../src/vector/vector-wire.ts';

const version = fc.oneof(fc.record({ term: fc.nat(2), seq: fc.nat(2) }, { noNullPrototype: true }), fc.constant(GONE));
const vectors: fc.Arbitrary<InputVector> = fc
  .dictionary(fc.constantFrom('c1', 'c2', 'c3', '__proto__'), version, { maxKeys: 4, noNullPrototype: true })
  .map((record) => new Map(Object.entries(record)));

const at = (term: number, seq: number) => ({ term, seq });
const order = (next: InputVector, applied: InputVector): string => compareVectors(next, applied).order;

test('the term decides before seq, and each component is compared alone', () => {
  const applied = new Map([
    ['a', at(1, 9)],
    ['b', at(1, 1)],
  ]);
  assert.is(
    order(
      new Map([
        ['a', at(2, 0)],
        ['b', at(1, 1)],
      ]),
      applied,
    ),
    'newer',
  );
  assert.is(
    order(
      new Map([
        ['a', at(1, 8)],
        ['b', at(1, 1)],
      ]),
      applied,
    ),
    'older',
  );
  assert.is(
    order(
      new Map([
        ['a', at(1, 8)],
        ['b', at(2, 0)],
      ]),
      applied,
    ),
    'incomparable',
  );
  assert.is(order(new Map(applied), applied), 'equal');
  assert.is(order(new Map(), applied), 'older');
  assert.is(order(applied, new Map()), 'newer');
  assert.equal(compareVectors(new Map([['b', at(9, 9)]]), applied), { order: 'incomparable', behind: ['a'] });
});

test('a missing component is behind; a deleted one is ahead of any version; a re-registered one is ahead of deleted', () => {
  const was = new Map([['a', at(3, 3)]]);
  const gone = new Map([['a', GONE]] as const);
  assert.is(order(gone, was), 'newer');
  assert.is(order(new Map([['a', at(1, 1)]]), gone), 'newer');
  assert.is(order(gone, gone), 'equal');
  assert.is(order(new Map(), gone), 'equal');
});

test('without deletions, newer in one direction is older in the other', () => {
  const live = vectors.filter((vector) => ![...vector.values()].includes(GONE));
  const opposite = { equal: 'equal', newer: 'older', older: 'newer', incomparable: 'incomparable' } as const;
  fc.assert(
    fc.property(live, live, (a, b) => {
      assert.is(order(a, b), opposite[order(b, a) as keyof typeof opposite]);
    }),
  );
});

test('updates turn any vector into any other; equal vectors need none', () => {
  fc.assert(
    fc.property(fc.array(vectors, { minLength: 1, maxLength: 6 }), (steps) => {
      const assembler = new VectorAssembler();
      let sent: InputVector | undefined;
      for (const vector of steps) {
        for (const update of vectorUpdates(vector, sent)) assembler.take(update);
        assert.equal(assembler.vector, vector);
        assert.equal(vectorUpdates(vector, vector), []);
        sent = vector;
      }
    }),
  );
});

test('a large vector is sent in pages and compared only when complete; one change sends one component', () => {
  const large: InputVector = new Map(Array.from({ length: 12_000 }, (_, index) => [`c${index}`, at(1, index)]));
  const pages = vectorUpdates(large, undefined);
  const assembler = new VectorAssembler();
  assert.equal(
    pages.map((page) => assembler.take(page)),
    [false, false, true],
  );
  assert.is(assembler.vector?.size, 12_000);
  const changed = new Map(large).set('c7', at(2, 0));
  assert.equal(vectorUpdates(changed, large), [
    { type: 'vector', full: false, components: [{ name: 'c7', version: at(2, 0) }], last: true },
  ]);
});

test.run();
