/** Entries are decoded as they were written, limited to the requested fields; invalid bytes are rejected. */
import { Buffer } from 'node:buffer';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { AlsDecoder } from '../../src/codec/als-decoder.ts';
import { ALL_FIELDS, FIELD_NAMES, type Projection, projectionOf } from '../../src/codec/projection.ts';
import { type AccessLogFields, blankFields, type FieldName } from '../../src/entry/access-log-fields.ts';
import { WireError } from '../../src/wire/wire-error.ts';
import { alsMessage, type SomeFields } from '../support/als-message.ts';
import { entries as anyEntries } from '../support/arbitrary-entries.ts';
import * as w from '../support/wire-writer.ts';

function decode(bytes: Buffer, requested: Projection = ALL_FIELDS): AccessLogFields[] {
  const decoder = new AlsDecoder();
  const found: AccessLogFields[] = [];
  const count = decoder.scan(bytes, {
    identifier() {},
    entry: (kind, from, to) => found.push(decoder.decode(bytes, kind, from, to, requested)),
  });
  assert.is(count, found.length);
  return found;
}

/** The decoder's result: all fields, absent ones undefined. */
function whole(entry: SomeFields, of: ReadonlySet<string> = new Set(FIELD_NAMES)): AccessLogFields {
  const retained = Object.entries(entry).filter(([name]) => name === 'kind' || of.has(name));
  return { ...blankFields(entry.kind), ...Object.fromEntries(retained) };
}

const same = (actual: readonly AccessLogFields[], expected: readonly AccessLogFields[]): void =>
  assert.is(shown(actual), shown(expected));
/** As text, so a header named `constructor` has no special effect. */
const shown = (entries: readonly AccessLogFields[]): string => JSON.stringify(entries);

test('every field has a location', () => {
  assert.equal(Object.keys(blankFields('http')).sort(), ['kind', ...FIELD_NAMES].sort());
});

test('times are as close as possible to the written ones', () => {
  const read = (micros: number) => decode(alsMessage([{ kind: 'http', duration: micros / 1000 }]))[0]?.duration;
  for (const micros of [6_163_288, 1_520_590, 2_350_356, 14_642_406, 86_399_999_999, 1])
    assert.is(read(micros), micros / 1000);
});

test('entries are read as they were written', () => {
  fc.assert(
    fc.property(anyEntries, (written) =>
      same(
        decode(alsMessage(written)),
        written.map((entry) => whole(entry)),
      ),
    ),
    { numRuns: scaledRuns(300) },
  );
});

test('only requested fields are read, with the same values as in a full read', () => {
  fc.assert(
    fc.property(anyEntries, fc.uniqueArray(fc.constantFrom(...FIELD_NAMES)), (written, requested) => {
      const fields = new Set<FieldName>(requested);
      same(
        decode(alsMessage(written), projectionOf(requested)),
        written.map((entry) => whole(entry, fields)),
      );
    }),
    { numRuns: scaledRuns(300) },
  );
});

test('the identifier and each entry are reported by their offsets', () => {
  const bytes = alsMessage([{ kind: 'tcp', receivedBytes: 1 }], { node: 'n', logName: 'l' });
  const places: unknown[] = [];
  new AlsDecoder().scan(bytes, {
    identifier: (from, to) => places.push(bytes.subarray(from, to)),
    entry: (kind, from, to) => places.push(kind, bytes.subarray(from, to)),
  });
  assert.equal(places, [
    w.join(w.message(1, w.text(1, 'n')), w.text(2, 'l')),
    'tcp',
    w.join(w.message(1), w.message(2, w.number(1, 1))),
  ]);
});

test('unknown fields are skipped, at every depth', () => {
  const odd = w.join(w.text(99, 'new'), w.number(77, 5), w.double(66, 0.5));
  const entry = w.join(
    odd,
    w.message(
      1,
      odd,
      w.message(2, odd, w.message(1, odd, w.text(2, '10.0.0.1'), w.number(3, 80))),
      w.message(16, odd, w.number(6, 1), w.number(40, 1)),
    ),
    w.message(3, odd, w.text(5, '/a')),
    w.message(4, odd, w.message(1, odd, w.number(1, 503))),
  );
  const [read] = decode(w.join(odd, w.message(2, odd, w.bytes(1, entry))));
  assert.is(read?.downstreamRemoteAddress, '10.0.0.1:80');
  assert.equal(read?.responseFlags, ['UF']);
  assert.is(read?.path, '/a');
  assert.is(read?.status, 503);
});

test('a field with another wire type is ignored', () => {
  const [read] = decode(w.message(2, w.message(1, w.message(3, w.number(5, 7), w.text(1, 'GET')))));
  assert.is(read?.path, undefined);
  assert.is(read?.method, undefined);
});

test('addresses have their usual notation', () => {
  const address = (inner: Uint8Array) =>
    decode(w.message(2, w.message(1, w.message(1, w.bytes(2, inner)))))[0]?.downstreamRemoteAddress;
  assert.is(address(w.message(1, w.text(2, 'fd00::1'), w.number(3, 443))), '[fd00::1]:443');
  assert.is(address(w.message(2, w.text(1, '/run/app.sock'))), '/run/app.sock');
  assert.is(address(w.message(3, w.text(1, 'inner'), w.text(2, 'e1'))), 'envoy://inner/e1');
  assert.is(address(w.join()), undefined);
});

test('values newer than the known lists are shown as numbers, or omitted', () => {
  const [read] = decode(
    w.message(2, w.message(1, w.message(1, w.number(33, 99)), w.number(2, 9), w.message(3, w.number(1, 50)))),
  );
  assert.is(read?.accessLogType, '99');
  assert.is(read?.protocol, undefined);
  assert.is(read?.method, undefined);
});

test('header names cannot reach a prototype', () => {
  const headers = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, string>;
  const [read] = decode(w.message(2, w.message(1, w.message(3, w.texts(13, headers)))));
  assert.is(Object.getPrototypeOf(read?.requestHeaders), null);
  assert.equal(Object.keys(read?.requestHeaders ?? {}), ['__proto__', 'constructor']);
  assert.is(({} as Record<string, unknown>)['x'], undefined);
});

test('a truncated message is rejected with an offset inside it', () => {
  const bytes = alsMessage([{ kind: 'http', path: '/a', status: 200, startTime: 1.5 }], { node: 'n', logName: 'l' });
  for (let length = 1; length < bytes.length; length++) {
    const cut = bytes.subarray(0, length);
    const whole = length === bytes.length || rejection(cut) === undefined;
    // Cut exactly between identifier and entries, the rest is a message.
    if (whole) assert.equal(decode(cut), []);
    else assert.ok((rejection(cut)?.offset ?? -1) <= length);
  }
});

test('any bytes are read or rejected, never misread past their end, and nothing is polluted', () => {
  const seeds = fc.sample(anyEntries, { numRuns: scaledRuns(60), seed: 20_261_121 }).map((each) => alsMessage(each));
  const corruption = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 });
  const bytes = fc.oneof(
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((raw) => Buffer.from(raw)) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...seeds), corruption, fc.nat())
        .map(([seed, hits, cut]) => corrupt(seed, hits, cut)),
    },
  );
  fc.assert(
    fc.property(bytes, (message) => {
      const before = Buffer.from(message);
      // Bytes after the message, which a reader that goes too far would read as part of it.
      const inLarger = Buffer.concat([message, Buffer.alloc(64, 0x0a)]).subarray(0, message.length);
      const [one, other] = [outcome(message), outcome(inLarger)];
      assert.is(one, other);
      assert.equal(message, before);
    }),
    { numRuns: scaledRuns(20_000) },
  );
  assert.equal(Object.keys(Object.prototype), []);
});

function corrupt(seed: Buffer, hits: ReadonlyArray<readonly [number, number]>, cut: number): Buffer {
  const bytes = Buffer.from(seed);
  if (bytes.length === 0) return bytes;
  for (const [at, value] of hits) bytes[at % bytes.length] = value;
  return cut % 3 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes;
}

function outcome(bytes: Buffer): string {
  try {
    return shown(decode(bytes));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    assert.ok(
      error.offset >= 0 && error.offset <= bytes.length,
      `an offset of ${error.offset} in ${bytes.length} bytes`,
    );
    return error.message;
  }
}

function rejection(bytes: Buffer): WireError | undefined {
  try {
    decode(bytes);
    return undefined;
  } catch (error) {
    return error as WireError;
  }
}

test.run();
