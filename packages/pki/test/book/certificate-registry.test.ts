/** The registry of issued and revoked certificates: which are valid, and which may be dropped. */
import { assert, test } from '@meshrelay/testing';
import { readCertificateBook, writeCertificateBook } from '../../src/book/certificate-records.ts';
import { type CertificateFacts, CertificateRegistry } from '../../src/book/certificate-registry.ts';

const DAY = 86_400_000;
const START = Date.parse('2030-01-01T00:00:00Z');
const at = (days: number): Date => new Date(START + days * DAY);

/** A certificate of thirty days; `letter` determines its serial number and its key. */
function facts(letter: string, from = 0, key = letter): CertificateFacts {
  return { serial: letter.repeat(16), keyHash: key.repeat(64), notBefore: at(from), notAfter: at(from + 30) };
}

test('an issued certificate is valid until it is revoked, and the others stay valid', () => {
  const book = new CertificateRegistry().issue('c1', facts('a'), at(0)).issue('c2', facts('b'), at(0));
  assert.is(book.verify('c1', facts('a')), 'good');
  const after = book.revoke('c1', at(1));
  assert.is(after.verify('c1', facts('a')), 'revoked');
  assert.is(after.verify('c2', facts('b')), 'good');
  assert.ok(after.isKeyRevoked('a'.repeat(64)));
  assert.equal(after.live('c1', at(1)), []);
  assert.is(
    after.verify('c1', facts('c', 2)),
    'revoked',
    'one that begins later, which only another issuer can have made',
  );
  assert.is(book.verify('c1', facts('a')), 'good', 'a book does not change');
});

test('revoking a cluster also revokes certificates without a record, and another one with the same key', () => {
  const book = new CertificateRegistry().issue('c1', facts('a'), at(0)).revoke('c1', at(10));
  assert.is(book.verify('c1', facts('d', 9)), 'revoked', 'from before there were records');
  assert.is(book.verify('c1', facts('e', 11, 'a')), 'revoked', 'the same key');
  const again = book.issue('c1', facts('f', 9.999), at(10));
  assert.is(again.verify('c1', facts('f', 9.999)), 'good', 'issued after, though it begins a little before');
});

test('a certificate that another issuer creates after a revocation is valid only once the cluster is readmitted', () => {
  const book = new CertificateRegistry().revoke('c1', at(10));
  assert.ok(book.isClusterRevoked('c1'));
  assert.is(book.verify('c1', facts('a', 11)), 'revoked', 'its issuer renews it all the same');
  const again = book.readmit('c1');
  assert.is(again.verify('c1', facts('a', 11)), 'good');
  assert.is(again.verify('c1', facts('b', 9)), 'revoked', 'what it had when it was revoked stays revoked');
  assert.is(again.readmit('c1'), again);
  assert.not(book.supersede('c1', facts('c', 11), at(11)).isClusterRevoked('c1'), 'a registration readmits, too');
  assert.ok(readCertificateBook(writeCertificateBook(book)).isClusterRevoked('c1'));
});

test('a registration replaces all earlier certificates; a repeated request replaces none', () => {
  const book = new CertificateRegistry()
    .issue('c1', facts('a'), at(0))
    .supersede('c1', facts('b', 1), at(1))
    .supersede('c1', facts('c', 1, 'b'), at(1));
  assert.is(book.verify('c1', facts('a')), 'revoked');
  assert.is(book.verify('c1', facts('b', 1)), 'good');
  assert.is(book.verify('c1', facts('c', 1, 'b')), 'good');
  assert.is(book.live('c1', at(2)).length, 1, 'one key');
});

test('records are stored for sixty days; the fact that a cluster was registered is stored for ever', () => {
  const book = new CertificateRegistry().supersede('c1', facts('a'), at(0)).revoke('c1', at(1));
  assert.is(book.forget(at(59)).verify('c1', facts('a')), 'revoked');
  const later = book.forget(at(61));
  assert.equal(later.of('c1').revoked, []);
  assert.ok(later.wasRegistered('c1'));
  assert.not(later.wasRegistered('c2'));
  assert.is(later.verify('c1', facts('a')), 'revoked', 'what began before stays revoked even then');
});

test('the trust of a cluster is stored once', () => {
  const [bundle, issuer] = ['1'.repeat(64), '2'.repeat(64)];
  const book = new CertificateRegistry().acknowledge('c1', bundle, issuer);
  assert.equal(book.of('c1').trust, { bundle, issuer });
  assert.is(book.acknowledge('c1', bundle, issuer), book);
});

test('the registry survives storage; a corrupt one is an error that names the key, never an empty registry', () => {
  const book = new CertificateRegistry()
    .supersede('c1', facts('a'), at(0))
    .supersede('a-b-c', facts('b'), at(1))
    .revoke('c1', at(2));
  const data = writeCertificateBook(book);
  assert.equal(Object.keys(data).sort(), ['a-b-c', 'c1']);
  assert.equal([...readCertificateBook(data).clusters], [...book.clusters]);
  assert.equal([...readCertificateBook(undefined).clusters], []);
  const one = (text: string): Record<string, string> => ({ ...data, c9: text });
  const record = { serial: 'aa', keyHash: 'a'.repeat(64), issuedAt: at(0), expiresAt: at(1), revokedAt: at(1) };
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '{}',
    '{"issued":[]}',
    '{"issued":{},"revoked":[]}',
    JSON.stringify({ issued: [], revoked: [], revokedBefore: 'soon' }),
    JSON.stringify({ issued: [{ ...record, serial: '../x' }], revoked: [] }),
    JSON.stringify({ issued: [], revoked: [{ ...record, keyHash: 'A'.repeat(64) }] }),
    JSON.stringify({ issued: [], revoked: [{ ...record, revokedAt: undefined }] }),
    JSON.stringify({ issued: [{ ...record, issuer: 'x' }], revoked: [] }),
    JSON.stringify({ issued: [], revoked: [], trust: { bundle: 'x', issuer: 'y' } }),
    JSON.stringify({ issued: [null], revoked: [] }),
  ]) {
    assert.throws(
      () => readCertificateBook(one(text)),
      /Secret relay-certificates: c9 holds no certificate records/,
      text,
    );
  }
  assert.throws(() => readCertificateBook({ ...data, C9: data['c1'] ?? '' }), /C9/);
});

test.run();
