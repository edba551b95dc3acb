/** Client certificates of external issuers: trust, purpose and names. */
import { assert, test } from '@meshrelay/testing';
import { oid, sequence, set, utf8String } from '../../src/asn1/der-build.ts';
import { OID } from '../../src/asn1/oids.ts';
import { readCertificate } from '../../src/certificate/certificate.ts';
import { type TrustBundle, trustBundle } from '../../src/certificate/trust-bundle.ts';
import { verifyClient } from '../../src/verify/verify-client.ts';
import {
  agentExtensions,
  authorityExtensions,
  type CraftedCertificate,
  craftCertificate,
  DAY,
  dns,
  extension,
  keyUsage,
  NOW,
  name,
  uri,
} from '../crafted.ts';
import { rsaKey } from '../test-keys.ts';

const [rootKey, caKey, leafKey, otherKey] = await Promise.all(
  ['root', 'ca', 'leaf', 'other'].map((key) => rsaKey(key)),
);
if (rootKey === undefined || caKey === undefined || leafKey === undefined || otherKey === undefined) throw new Error();

const root = craftCertificate({
  key: rootKey,
  issuerKey: rootKey,
  subject: name('corp root'),
  issuer: name('corp root'),
  extensions: authorityExtensions(rootKey, rootKey),
});
const ca = craftCertificate({
  key: caKey,
  issuerKey: rootKey,
  subject: name('corp clients'),
  issuer: name('corp root'),
  extensions: authorityExtensions(caKey, rootKey),
});
const extensions = agentExtensions(leafKey, caKey, 'spiffe://corp/east');
const leaf = (changes: Partial<CraftedCertificate> = {}): Uint8Array =>
  craftCertificate({ key: leafKey, issuerKey: caKey, issuer: name('corp clients'), extensions, ...changes });

const bundle = (...certificates: Uint8Array[]): TrustBundle => trustBundle(certificates.map(readCertificate));
const result = (chain: readonly Uint8Array[], roots: TrustBundle, now = NOW): string => {
  const result = verifyClient({ chain, roots, now });
  return result.ok ? 'ok' : result.reason;
};

test('an issuer is trusted for its own certificates; a root alone does not make an unnamed issuer trusted', () => {
  assert.is(result([leaf()], bundle(ca)), 'ok', 'the issuing CA, without its root');
  assert.is(result([leaf()], bundle(root, ca)), 'ok');
  assert.is(result([leaf()], bundle(root)), 'untrusted');
  assert.is(result([leaf({ issuerKey: otherKey })], bundle(ca)), 'signature');
  assert.is(result([leaf()], bundle()), 'untrusted');
});

test('names are returned unchanged', () => {
  const names = extension(
    OID.subjectAltName,
    sequence(uri('spiffe://corp/East'), dns('East.Example'), dns('b.example')),
  );
  const subject = sequence(...['East ', 'agent'].map((cn) => set(sequence(oid(OID.commonName), utf8String(cn)))));
  const result = verifyClient({
    chain: [leaf({ subject, extensions: { ...extensions, subjectAltName: names } })],
    roots: bundle(ca),
    now: NOW,
  });
  assert.ok(result.ok);
  assert.equal(result.ok && result.names, {
    uris: ['spiffe://corp/East'],
    dnsNames: ['East.Example', 'b.example'],
    commonNames: ['East ', 'agent'],
  });
});

test('a certificate not issued for TLS clients, or not valid now, proves nothing', () => {
  const refused: ReadonlyArray<readonly [string, Partial<CraftedCertificate>]> = [
    ['extended-key-usage', { extensions: { ...extensions, extendedKeyUsage: undefined } }],
    [
      'extended-key-usage',
      {
        extensions: { ...extensions, extendedKeyUsage: extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))) },
      },
    ],
    ['key-usage', { extensions: { ...extensions, keyUsage: keyUsage(0x20, 5) } }],
    ['leaf-is-ca', { extensions: { ...extensions, ...authorityExtensions(leafKey, caKey) } }],
    ['expired', { notAfter: new Date(NOW.getTime() - 1000) }],
    ['not-yet-valid', { notBefore: new Date(NOW.getTime() + 1000) }],
  ];
  for (const [reason, changes] of refused) assert.is(result([leaf(changes)], bundle(ca)), reason, reason);
  assert.is(result([leaf({ extensions: { ...extensions, keyUsage: undefined } })], bundle(ca)), 'ok');
  assert.is(result([leaf()], bundle(ca), new Date(NOW.getTime() + 2 * DAY)), 'expired', 'without a grace period');
  assert.is(result([new Uint8Array([1, 2, 3])], bundle(ca)), 'malformed');
});

test.run();
