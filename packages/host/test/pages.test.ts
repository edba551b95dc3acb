/** Pages of the graph's packed data. */

import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { compressedPages } from '../src/pages.ts';

test('an unpacked page equals the original', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
      assert.is(compressedPages.unpack(compressedPages.pack(text)), text);
    }),
  );
});

test('a page of similar objects takes a tenth, and has no spare bytes', () => {
  const text = Array.from({ length: 200 }, (_, nth) => JSON.stringify({ name: `service-${nth}`, port: 8080 })).join('');
  const packed = compressedPages.pack(text);
  assert.ok(packed.byteLength < text.length / 8, `${packed.byteLength} of ${text.length}`);
  assert.is(packed.buffer.byteLength, packed.byteLength);
});

test.run();
