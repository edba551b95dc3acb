/** PEM: accepted and rejected texts, and limits. */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { readPem, readPemDer, writePem } from '../src/pem.ts';
import { isMalformed } from '../src/pki-error.ts';

const LIMITS = { maxLength: 4096, maxBlocks: 3 };
const block = (label: string, size = 100): string => writePem(label, new Uint8Array(size).fill(7));
const refused = (text: string, limits: Parameters<typeof readPem>[2] = LIMITS): void =>
  assert.throws(() => readPem(text, 'test', limits), isMalformed, text.slice(0, 200));

test('a written text is read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 500 }), (der) => {
      assert.equal(readPem(writePem('THING', der), 'test', LIMITS), [{ label: 'THING', der }]);
    }),
  );
});

test('reads several blocks, blank lines between them and DOS line ends', () => {
  const text = `\r\n${block('A')}\n\n${block('B')}`.replaceAll('\n', '\r\n');
  assert.equal(
    readPem(text, 'test', LIMITS).map(({ label }) => label),
    ['A', 'B'],
  );
});

test("text around blocks is allowed only for operators' files", () => {
  const text = `# our root\n${block('A')}trailing`;
  refused(text);
  assert.is(readPem(`\ufeff${text}`, 'test', { ...LIMITS, allowText: true }).length, 1);
});

test('rejects text that is not PEM', () => {
  const good = block('A');
  for (const text of [
    '',
    'hello',
    '-----BEGIN A-----',
    good.replace('-----END A-----', ''),
    good.replace('END A', 'END B'),
    good.replace('BEGIN A', 'BEGIN '),
    good.replace('BEGIN A', 'BEGIN a'),
    good.replace('BwcH', 'Bw H'),
    good.replace('BwcH', 'Bw-H'),
    good.replace(/BwcH/, 'BwcHB'),
    good.replace(/=+\n/, '\n'),
    '-----BEGIN A-----\n-----END A-----\n',
    '-----BEGIN A-----\nProc-Type: 4,ENCRYPTED\n\nBwcH\n-----END A-----\n',
    block('A'.repeat(41)),
  ]) {
    refused(text);
  }
});

test('limits the text and the number of blocks', () => {
  assert.is(readPem(block('A').repeat(3), 'test', LIMITS).length, 3);
  refused(block('A').repeat(4));
  refused(block('A', 4000));
  refused('-----BEGIN '.repeat(370));
});

test('rejects a block of another kind', () => {
  assert.throws(() => readPemDer(block('PRIVATE KEY'), 'CERTIFICATE', 'test', LIMITS), isMalformed);
});

test.run();
