/** Validation of objects from a hostile agent, and its results. */
import { Buffer } from 'node:buffer';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { relayLimits } from '../../src/limits.ts';
import { Assembler } from '../../src/object/assembler.ts';
import { hashOf } from '../../src/object/hash.ts';
import { nameFault, objectFault } from '../../src/object/intake.ts';
import { envelope, keyOf } from '../link.ts';

const limits = relayLimits();

function fault(body: string | Uint8Array, changes: object = {}): string | undefined {
  const bytes = Buffer.from(body as string);
  return objectFault({ ...keyOf(0, 'a'), hash: hashOf(bytes), body: bytes, ...changes }, limits)?.code;
}

test('well-formed objects pass', () => {
  assert.is(fault('{"a":1}'), undefined);
  assert.is(fault(''), undefined, 'only name and hash are sent');
  assert.is(fault('{"a":"}}}{{{[[[\\\\\\"[[["}'), undefined);
  assert.is(fault(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`), undefined);
});

test('malformed objects are rejected with a reason', () => {
  assert.is(fault('[]'), 'OBJECT_MALFORMED');
  assert.is(fault('x'), 'OBJECT_MALFORMED');
  assert.is(fault(Buffer.from([0x7b, 0xff, 0x7d])), 'OBJECT_MALFORMED');
  assert.is(fault(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`), 'OBJECT_TOO_DEEP');
  assert.is(fault(`{"a":${'{"a":'.repeat(10_000)}`), 'OBJECT_TOO_DEEP');
  assert.is(fault('{"a":1}', { hash: '00'.repeat(16) }), 'OBJECT_HASH');
  assert.is(fault(`{"a":"${'x'.repeat(1.5 * 1024 * 1024)}"}`), 'OBJECT_TOO_LARGE');
});

test('invalid names are rejected', () => {
  const bad = ['', '.', '..', 'a/b', 'a%b', 'a b', 'a\0', 'a\n', 'a\u2028b', 'x'.repeat(254)];
  for (const name of bad)
    assert.is(nameFault({ namespace: 'default', name })?.code, 'OBJECT_NAME', JSON.stringify(name));
  const badSpaces = ['A', 'a/b', '-a', 'a.b', '../x', 'a\0', 'x'.repeat(64)];
  for (const namespace of badSpaces)
    assert.is(nameFault({ namespace, name: 'a' })?.code, 'OBJECT_NAME', JSON.stringify(namespace));
  for (const name of ['a', 'system:node', 'a.b-c', 'A']) assert.is(nameFault({ namespace: '', name }), undefined);
});

test('reasons contain nothing of the body', () => {
  const secret = 'hunter2';
  for (const body of [`["${secret}"]`, `{"a":${'['.repeat(70)}"${secret}"`]) {
    const bytes = Buffer.from(body);
    const found = objectFault({ ...keyOf(0, 'a'), hash: hashOf(bytes), body: bytes }, limits);
    assert.not.match(found?.reason ?? '', secret);
  }
});

test('an object in parts is reassembled', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.integer({ min: 1, max: 90 }), (body, size) => {
      const assembler = new Assembler(limits);
      const key = keyOf(0, 'a');
      const whole = { namespace: key.namespace, name: key.name, hash: hashOf(body) };
      for (let offset = 0; offset < body.length; offset += size) {
        const part = { total: body.length, offset };
        const result = assembler.take(key, { ...whole, body: body.subarray(offset, offset + size), part });
        const last = offset + size >= body.length;
        assert.is('envelope' in result, last);
        if ('envelope' in result) assert.equal(Buffer.from(result.envelope.body), Buffer.from(body));
      }
    }),
  );
});

test('parts that do not fit end the stream', () => {
  const key = keyOf(0, 'a');
  const { hash } = envelope(key, 'x');
  const part = (offset: number, length: number, total = 100, name = 'a') => ({
    namespace: 'default',
    name,
    hash,
    body: new Uint8Array(length),
    part: { total, offset },
  });
  const sequences = [
    [part(10, 10)],
    [part(0, 10), part(20, 10)],
    [part(0, 10), part(10, 10, 99)],
    [part(0, 10), part(10, 10, 100, 'b')],
    [part(0, 10), part(10, 91)],
    [part(0, 101)],
    [part(0, 0)],
  ];
  for (const sequence of sequences) {
    const assembler = new Assembler(limits);
    assert.throws(
      () => {
        for (const one of sequence) assembler.take(key, one);
      },
      (error: { code: string }) => error.code === 'RELAY_E_PROTOCOL',
    );
  }
});

test('an oversize object is rejected at its first part, skipped, and the next one is accepted', () => {
  const assembler = new Assembler(relayLimits({ objectBytes: 50 }));
  const key = keyOf(0, 'a');
  const { hash } = envelope(key, 'x');
  const part = (offset: number) => ({
    namespace: 'default',
    name: 'a',
    hash,
    body: new Uint8Array(30),
    part: { total: 60, offset },
  });
  assert.ok('fault' in assembler.take(key, part(0)));
  assert.ok('waiting' in assembler.take(key, part(30)));
  assert.ok('envelope' in assembler.take(key, { namespace: 'default', name: 'b', hash, body: new Uint8Array(3) }));
});

test('the depth is correct for all texts between the brackets', () => {
  const limits = relayLimits({ depth: 3 });
  const fault = (text: string) => {
    const body = Buffer.from(text);
    return objectFault(
      { group: '', version: 'v1', kind: 'Service', namespace: '', name: 'a', hash: hashOf(body), body },
      limits,
    )?.code;
  };
  // Quotes and backslashes before, at and after the offset from which a text is searched with `indexOf`.
  for (let length = 0; length < 140; length++) {
    for (const end of ['', '\\\\', '\\"', '\\\\\\"', '[[[[']) {
      const text = 'x'.repeat(length) + end;
      assert.is(fault(`{"a":"${text}","b":[[1]]}`), undefined, text);
      assert.is(fault(`{"a":"${text}","b":[[[1]]]}`), 'OBJECT_TOO_DEEP', text);
    }
  }
  assert.is(fault('{"a":"never ends [[[['), undefined, 'who parses it will say so');
});

test.run();
