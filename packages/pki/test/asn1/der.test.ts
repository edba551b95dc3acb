/** The strict DER reader: its rejections, and that any bytes are either parsed or rejected. */
import { Buffer } from 'node:buffer';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import {
  bitString,
  boolean,
  encode,
  integer,
  octetString,
  oid,
  sequence,
  smallInteger,
  tagged,
  taggedOctets,
  time,
} from '../../src/asn1/der-build.ts';
import { MAX_DEPTH, readDer } from '../../src/asn1/der-node.ts';
import {
  readAscii,
  readBoolean,
  readInteger,
  readNamedBits,
  readOctetAlignedBits,
  readOid,
  readSmallInteger,
  readTime,
} from '../../src/asn1/der-values.ts';
import { readCertificate } from '../../src/certificate/certificate.ts';
import { writePem } from '../../src/pem.ts';
import { isMalformed } from '../../src/pki-error.ts';
import { readCsr } from '../../src/request/read-csr.ts';
import { agentExtensions, craftCertificate, craftCsr } from '../crafted.ts';
import { rsaKey } from '../test-keys.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const node = (hex: string): ReturnType<typeof readDer> => readDer(bytes(hex), 'test');
const refused = (read: () => unknown, what: string): void => assert.throws(read, isMalformed, what);

test('reads nested values with their original bytes', () => {
  const outer = node('30 08 02 01 05 30 03 01 01 ff');
  assert.equal(
    outer.children.map(({ tag }) => tag),
    [0x02, 0x30],
  );
  assert.equal(outer.children[1]?.raw, bytes('30 03 01 01 ff'));
});

test('writes known values', () => {
  const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex');
  assert.is(hex(oid('1.2.840.113549.1.1.11')), '06092a864886f70d01010b');
  assert.is(hex(oid('2.5.29.17')), '0603551d11');
  assert.is(hex(oid('2.999.3')), '0603883703');
  assert.is(hex(sequence(smallInteger(0), smallInteger(128), smallInteger(65_535))), '300c02010002020080020300ffff');
  assert.is(hex(bitString(Uint8Array.of(0xa0), 5)), '030205a0');
  assert.is(hex(tagged(0, boolean(true))), 'a0030101ff');
  assert.is(hex(taggedOctets(6, Uint8Array.of(1, 2))), '86020102');
  assert.throws(() => oid('1.x'), 'expected an object identifier');
  assert.throws(() => tagged(31), 'expected at most 30');
});

test('the reader reads every written length, number and identifier', () => {
  for (const length of [0, 1, 127, 128, 255, 256, 65_535, 65_536]) {
    const octets = new Uint8Array(length).fill(7);
    const { tag, content } = readDer(encode(octetString(octets)), 'test');
    assert.equal([tag, content.length], [0x04, length]);
  }
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), (number) => {
      assert.is(readSmallInteger(readDer(encode(smallInteger(number)), 'test'), 'test'), number);
    }),
  );
  fc.assert(
    fc.property(fc.nat(2), fc.nat(39), fc.array(fc.nat(2 ** 28), { maxLength: 6 }), (first, second, rest) => {
      const dotted = [first, second, ...rest].join('.');
      assert.is(readOid(readDer(encode(oid(dotted)), 'test'), 'test'), dotted);
    }),
  );
});

test('rejects everything that is BER and not DER', () => {
  for (const hex of [
    '',
    '30',
    '30 80 00 00',
    '04 81 01 00',
    '04 82 00 01 00',
    '30 02 02',
    '02 01 05 00',
    '1f 01 00',
    '30 85 01 00 00 00 00 00',
    '30 01 30',
  ]) {
    refused(() => node(hex), hex);
  }
});

test('values may be nested 16 deep and no deeper', () => {
  const nest = (depth: number): Uint8Array =>
    depth === 1 ? bytes('30 00') : Uint8Array.of(0x30, nest(depth - 1).length, ...nest(depth - 1));
  readDer(nest(MAX_DEPTH), 'test');
  refused(() => readDer(nest(MAX_DEPTH + 1), 'test'), 'too deep');
});

test('primitive values have one form only', () => {
  for (const hex of ['01 01 01', '01 00', '01 02 ff ff', '02 01 00'])
    refused(() => readBoolean(node(hex), 'test'), hex);
  for (const hex of ['02 00', '02 02 00 05', '02 02 ff 80', '04 01 05'])
    refused(() => readInteger(node(hex), 'test'), hex);
  for (const hex of ['02 01 ff', '02 05 01 00 00 00 00']) refused(() => readSmallInteger(node(hex), 'test'), hex);
  for (const hex of ['06 00', '06 02 2a 80', '06 03 2a 80 01', '06 09 2a ff ff ff ff ff ff ff 7f'])
    refused(() => readOid(node(hex), 'test'), hex);
  for (const hex of ['03 00', '03 02 01 80']) refused(() => readOctetAlignedBits(node(hex), 'test'), hex);
  for (const hex of ['03 00', '03 02 08 80', '03 04 00 ff ff ff']) refused(() => readNamedBits(node(hex), 'test'), hex);
  for (const octets of [[0], [0x0a], [0x7f], [0x80], [0xff]])
    refused(() => readAscii(Uint8Array.from(octets), 'test'), String(octets));
});

test('object identifiers survive a round trip', () => {
  for (const id of ['1.2.840.113549.1.1.11', '2.5.29.37.0', '0.9.2342', '2.999.1', '1.3.6.1.4.1.55738.666.1']) {
    assert.is(readOid(readDer(encode(oid(id)), 'test'), 'test'), id);
  }
});

test('times survive a round trip to the second, across 2050', () => {
  for (const iso of [
    '1950-01-01T00:00:00.000Z',
    '1999-12-31T23:59:59.000Z',
    '2049-12-31T23:59:59.000Z',
    '2050-01-01T00:00:00.000Z',
    '2969-05-03T00:00:01.000Z',
  ]) {
    assert.is(readTime(readDer(encode(time(new Date(iso))), 'test'), 'test').toISOString(), iso);
  }
  const utc = (text: string): ReturnType<typeof readDer> =>
    readDer(Uint8Array.of(0x17, text.length, ...Buffer.from(text)), 'test');
  for (const text of [
    '300231000000Z',
    '301301000000Z',
    '300101240000Z',
    '300101006000Z',
    '3001010000Z',
    '300101000000+0100',
    '30010100000 Z',
  ]) {
    refused(() => readTime(utc(text), 'test'), text);
  }
});

test('integers made by the builder are minimal', () => {
  assert.equal(encode(sequence(integer(Uint8Array.of(0, 0, 0x85)))), bytes('30 04 02 02 00 85'));
});

/** Runs of each property per test. */
const RUNS = { numRuns: scaledRuns(2000) };
const key = await rsaKey('fuzz');
const certificate = craftCertificate({
  key,
  issuerKey: key,
  extensions: agentExtensions(key, key, 'spiffe://d/cluster/c/agent'),
});
const request = craftCsr({ key });

/** A few octets of a valid document changed, removed or inserted. */
function mutated(original: Uint8Array): fc.Arbitrary<Uint8Array> {
  const edit = fc.record({
    at: fc.nat(original.length - 1),
    remove: fc.nat(4),
    insert: fc.uint8Array({ maxLength: 4 }),
  });
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) => {
    let octets = [...original];
    for (const { at, remove, insert } of edits)
      octets = [...octets.slice(0, at), ...insert, ...octets.slice(at + remove)];
    return Uint8Array.from(octets);
  });
}

test('the certificate reader either parses or rejects any bytes', () => {
  fc.assert(
    fc.property(fc.oneof(mutated(certificate), fc.uint8Array({ maxLength: 400 })), (octets) => {
      try {
        readCertificate(octets);
      } catch (error) {
        assert.ok(isMalformed(error), String(error));
      }
    }),
    RUNS,
  );
});

test('no changed signed request is accepted as the original', () => {
  fc.assert(
    fc.property(mutated(request), (octets) => {
      fc.pre(!Buffer.from(octets).equals(request));
      assert.not.ok(readCsr(writePem('CERTIFICATE REQUEST', octets)).ok);
    }),
    RUNS,
  );
});

test.run();
