/** Certificates are compared by their bytes, whatever text surrounds them. */
import { assert, test } from '@meshrelay/testing';
import { certificatesOf, tidyCertificates } from '../../src/text/certificates.ts';

const pem = (base64: string): string => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
const long = 'QUJD'.repeat(40);

test('the same certificates are equal in any order and layout, each once', () => {
  const one = `# a comment\n${pem('BBBB')}${pem('AAAA')}`;
  const other = `${pem('AAAA').replaceAll('\n', '\r\n')}${pem('BBBB')}${pem('AAAA')}`;
  assert.equal(certificatesOf(one), ['AAAA', 'BBBB']);
  assert.is(tidyCertificates(one), tidyCertificates(other));
});

test('lines have the PEM length, and parsing them again changes nothing', () => {
  const tidy = tidyCertificates(pem(long)) ?? '';
  assert.ok(tidy.split('\n').every((line) => line.length <= 64));
  assert.equal(certificatesOf(tidy), [long]);
  assert.is(tidyCertificates(tidy), tidy);
});

test('text without a certificate, or with more than a bundle may have, gives nothing', () => {
  assert.is(tidyCertificates(''), undefined);
  assert.is(tidyCertificates('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'), undefined);
  const many = Array.from({ length: 33 }, (_, at) => pem(`AAAA${String.fromCharCode(65 + (at % 26))}${at}`));
  assert.is(tidyCertificates(many.join('')), undefined);
});

test.run();
