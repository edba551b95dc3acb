/** The cursor: valid and rejected bytes. */
import { Buffer } from 'node:buffer';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { WireError } from '../../src/wire/wire-error.ts';
import { WireReader } from '../../src/wire/wire-reader.ts';
import * as w from '../support/wire-writer.ts';

function on(bytes: Uint8Array): WireReader {
  const reader = new WireReader();
  reader.open(Buffer.from(bytes), 0, bytes.length);
  return reader;
}

const INTEGER = fc.maxSafeInteger();

test('numbers are read as they were written', () => {
  fc.assert(
    fc.property(
      fc.nat(0xffffffff),
      fc.maxSafeNat(),
      INTEGER,
      fc.double({ noNaN: true }),
      (small, large, signed, real) => {
        assert.is(on(w.varint(small)).uint32(), small);
        assert.is(on(w.varint(large)).uint64(), large);
        assert.is(on(w.varint(signed)).int64(), signed);
        const bytes = Buffer.alloc(8);
        bytes.writeDoubleLE(real);
        assert.is(on(bytes).double(), real);
      },
    ),
  );
  assert.is(on(w.varint(-1)).uint32(), 0xffffffff, 'the lower bits of a negative one');
  assert.is(on(w.varint(2n ** 64n - 1n)).uint64(), 2 ** 64);
});

test('texts are read as they were written, the second time too', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (value) => {
      const bytes = Buffer.from(value);
      const reader = on(w.join(w.varint(bytes.length), bytes));
      for (const read of ['text', 'commonText', 'commonText'] as const) {
        reader.pos = 0;
        assert.is(reader[read](), value);
      }
    }),
  );
});

test('texts that share a slot of the cache are not confused', () => {
  const values = Array.from({ length: 10_000 }, (_, at) => `name-${at}`);
  const bytes = w.join(...values.flatMap((value) => [w.varint(value.length), Buffer.from(value)]));
  const reader = on(bytes);
  for (let round = 0; round < 2; round++) {
    reader.pos = 0;
    for (const value of values) assert.is(reader.commonText(), value);
  }
});

test('invalid UTF-8 in a text is replaced', () => {
  const bytes = w.join(w.varint(3), Buffer.from([0x61, 0xff, 0x62]));
  assert.is(on(bytes).text(), 'a\ufffdb');
  assert.is(on(bytes).commonText(), 'a\ufffdb');
});

test('unknown values are skipped, groups too', () => {
  const group = w.join(w.tag(7, 3), w.number(1, 300), w.message(2, w.text(1, 'x')), w.tag(7, 4));
  for (const field of [
    w.number(9, 1e15),
    w.double(9, 1.5),
    w.text(9, 'abc'),
    w.join(w.tag(9, 5), w.varint(1), new Uint8Array(3)),
    group,
  ]) {
    const reader = on(w.join(field, w.varint(42)));
    reader.skip(reader.uint32());
    assert.is(reader.uint32(), 42);
  }
});

const REFUSED: ReadonlyArray<readonly [string, Uint8Array, (reader: WireReader) => unknown, number, RegExp]> = [
  ['a number that is cut off', Uint8Array.of(0x80, 0x80), (r) => r.uint32(), 0, /a number begins here and is cut off/],
  ['no number at all', new Uint8Array(0), (r) => r.uint64(), 0, /cut off/],
  ['a number that never ends', new Uint8Array(11).fill(0x80), (r) => r.uint32(), 0, /longer than ten bytes/],
  ['a long number that never ends', new Uint8Array(11).fill(0x80), (r) => r.uint64(), 0, /longer than ten bytes/],
  ['half a double', new Uint8Array(7), (r) => r.double(), 0, /a double begins here and is cut off/],
  [
    'a text longer than what is left',
    w.join(w.varint(9), Buffer.from('four')),
    (r) => r.text(),
    0,
    /9 bytes are announced, 4 are left/,
  ],
  ['a length of 4 GiB', w.varint(0xffffffff), (r) => r.commonText(), 0, /4294967295 bytes are announced/],
  ['field number 0', Uint8Array.of(0x00, 0x01), (r) => r.skip(r.uint32()), 1, /number 0/],
  ['an end without a beginning', w.tag(3, 4), (r) => r.skip(r.uint32()), 1, /wire type 4/],
  ['a wire type that does not exist', w.tag(3, 7), (r) => r.skip(r.uint32()), 1, /wire type 7/],
  ['the end of another group', w.join(w.tag(3, 3), w.tag(4, 4)), (r) => r.skip(r.uint32()), 1, /another group/],
  [
    'groups without end',
    w.join(...Array.from({ length: 100 }, () => w.tag(3, 3))),
    (r) => r.skip(r.uint32()),
    33,
    /32 deep/,
  ],
  [
    'four bytes of which two are there',
    w.join(w.tag(3, 5), new Uint8Array(2)),
    (r) => r.skip(r.uint32()),
    1,
    /4 bytes begins here/,
  ],
];

for (const [what, bytes, read, offset, message] of REFUSED) {
  test(`${what} is rejected with its offset`, () => {
    try {
      read(on(bytes));
      assert.unreachable('it was read');
    } catch (error) {
      assert.instance(error, WireError);
      assert.match((error as WireError).message, message);
      assert.is((error as WireError).offset, offset);
    }
  });
}

test('a message ends at its declared end, whatever follows it', () => {
  const reader = on(w.join(w.message(1, w.tag(2, 2), w.varint(3)), Buffer.from('abc')));
  reader.uint32();
  reader.enter();
  reader.uint32();
  assert.throws(() => reader.text(), /3 bytes are announced, 0 are left/);
});

test.run();
