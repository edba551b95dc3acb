/**
 * Requests that ask for more than they get, and requests that are rejected. The certificate's fields always come from
 * the template, checked by node:crypto and, if installed, by openssl.
 */
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { type KeyObject, sign, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import {
  type Asn1,
  bitString,
  boolean,
  encode,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  set,
  smallInteger,
  tagged,
  taggedOctets,
  utf8String,
} from '../../src/asn1/der-build.ts';
import { OID } from '../../src/asn1/oids.ts';
import type { CertificateAuthority } from '../../src/issue/authority.ts';
import { createRoot } from '../../src/issue/create-root.ts';
import { issueAgentCertificate } from '../../src/issue/issue-agent-certificate.ts';
import { writePem } from '../../src/pem.ts';
import { createCsr } from '../../src/request/create-csr.ts';
import type { CsrRejection } from '../../src/request/read-csr.ts';
import { agentIdentity } from '../../src/spiffe/agent-identity.ts';
import { spiffeId, trustDomain } from '../../src/spiffe/spiffe-id.ts';
import {
  type CraftedCsr,
  craftCsr,
  dns,
  email,
  extension,
  ip,
  keyUsage,
  name,
  publicKeyInfo,
  requestedExtensions,
  uri,
} from '../crafted.ts';
import { nativeUsage } from '../native-usage.ts';
import { ecKey, ed25519Key, rsaKey } from '../test-keys.ts';

const NOW = new Date('2030-06-15T12:00:00Z');
const DOMAIN = trustDomain('relay.example');
const IDENTITY = agentIdentity(DOMAIN, 'c1');

const ca: CertificateAuthority = await createRoot({
  commonName: 'relay root',
  trustDomain: DOMAIN,
  days: 365,
  now: NOW,
  key: await rsaKey('ca'),
});
const key = await rsaKey('agent');
const other = await rsaKey('other');
const pem = (der: Uint8Array): string => writePem('CERTIFICATE REQUEST', der);
const csr = (changes: Partial<CraftedCsr> = {}): string => pem(craftCsr({ key, ...changes }));
const asking = (...extensions: Asn1[]): string => csr({ attributes: [requestedExtensions(...extensions)] });
const asksName = (...names: Asn1[]): string => asking(extension(OID.subjectAltName, sequence(...names)));
const relativeNames = (...attributes: [string, string][]): Asn1 =>
  sequence(...attributes.map(([type, value]) => set(sequence(oid(type), utf8String(value)))));

/** Requests with a valid key and signature; nothing else in them may reach the certificate. */
const IGNORED: Readonly<Record<string, () => string | Promise<string>>> = {
  'our own request': () => createCsr({ key, uri: IDENTITY }),
  'our own request without a name': () => createCsr({ key }),
  "another cluster's identity": () => createCsr({ key, uri: agentIdentity(DOMAIN, 'c2') }),
  'an identity of another trust domain': () =>
    createCsr({ key, uri: spiffeId('spiffe://evil.example/cluster/c1/agent') }),
  'a prefix of the identity': () => asksName(uri('spiffe://relay.example/cluster/c1')),
  'an identity with more behind it': () => asksName(uri(`${IDENTITY}/x`)),
  'an identity in capitals': () => asksName(uri('SPIFFE://RELAY.EXAMPLE/cluster/C1/agent')),
  'an identity with a NUL in it': () => asksName(uri(`${IDENTITY}\0.evil.example`)),
  'an identity with %2f in it': () => asksName(uri('spiffe://relay.example/cluster%2fc1/agent')),
  'an identity with a port': () => asksName(uri('spiffe://relay.example:443/cluster/c1/agent')),
  'an identity with a query': () => asksName(uri(`${IDENTITY}?x=1`)),
  'the right identity and another': () => asksName(uri(IDENTITY), uri('spiffe://relay.example/cluster/c2/agent')),
  'a DNS name': () => asksName(dns('relay.example')),
  'a wildcard': () => asksName(dns('*')),
  'an IP address': () => asksName(ip(127, 0, 0, 1)),
  'a mail address': () => asksName(email('root@relay.example')),
  'two hundred names': () => asksName(...Array.from({ length: 200 }, (_, index) => dns(`n${index}.example`))),
  'an empty list of names': () => asksName(),
  'a critical list of names': () =>
    asking(extension(OID.subjectAltName, sequence(uri('spiffe://relay.example/cluster/c2/agent')), true)),
  'malformed names': () => asking(extension(OID.subjectAltName, octetString(Uint8Array.of(1, 2, 3)))),
  'CA:TRUE': () => asking(extension(OID.basicConstraints, sequence(boolean(true)), true)),
  'CA:TRUE and a path length': () =>
    asking(extension(OID.basicConstraints, sequence(boolean(true), smallInteger(9)), true)),
  'CA:TRUE, not critical': () => asking(extension(OID.basicConstraints, sequence(boolean(true)))),
  keyCertSign: () => asking(keyUsage(0x04, 2)),
  'every key usage': () => asking(keyUsage(0xff, 0)),
  'an empty key usage': () => asking(keyUsage(0x00, 0)),
  serverAuth: () => asking(extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth)))),
  'any purpose': () => asking(extension(OID.extendedKeyUsage, sequence(oid(OID.anyExtendedKeyUsage)), true)),
  'code signing': () => asking(extension(OID.extendedKeyUsage, sequence(oid('1.3.6.1.5.5.7.3.3')))),
  'its own key identifier': () => asking(extension(OID.subjectKeyIdentifier, octetString(Uint8Array.of(1, 2, 3, 4)))),
  "another issuer's key identifier": () =>
    asking(extension(OID.authorityKeyIdentifier, sequence(taggedOctets(0, Uint8Array.of(9))))),
  'name constraints': () =>
    asking(extension(OID.nameConstraints, sequence(tagged(0, sequence(uri('evil.example')))), true)),
  'an unknown critical extension': () => asking(extension('1.2.3.4.5', nothing(), true)),
  'an extension a thousand octets long': () => asking(extension('1.2.3.4.5', octetString(new Uint8Array(1000)))),
  'the same extension twice': () => asking(keyUsage(0x04, 2), keyUsage(0x04, 2)),
  'two lists of extensions': () =>
    csr({ attributes: [requestedExtensions(keyUsage(0x04, 2)), requestedExtensions(keyUsage(0x06, 1))] }),
  'an empty list of extensions': () => asking(),
  'a challenge password': () =>
    csr({ attributes: [sequence(oid('1.2.840.113549.1.9.7'), set(utf8String('hunter2')))] }),
  'an unstructured name': () => csr({ attributes: [sequence(oid('1.2.840.113549.1.9.2'), set(utf8String('x')))] }),
  'a malformed attribute': () => csr({ attributes: [octetString(Uint8Array.of(1))] }),
  'no attributes field': () => csr({ attributes: null }),
  'a common name': () => csr({ subject: name('admin') }),
  "another cluster's common name": () => csr({ subject: name('system:agent:c2') }),
  'a common name with a NUL': () => csr({ subject: name('c1\0c2') }),
  'a common name of 5000 letters': () => csr({ subject: name('x'.repeat(5000)) }),
  'an organization of administrators': () => csr({ subject: relativeNames([OID.organization, 'system:masters']) }),
  'common name and organization': () =>
    csr({ subject: relativeNames([OID.organization, 'system:masters'], [OID.commonName, 'c2']) }),
  'a mail address in the subject': () => csr({ subject: relativeNames([OID.emailAddress, 'root@relay.example']) }),
  'a malformed subject': () => csr({ subject: sequence(smallInteger(1)) }),
  'a key of 3072 bits': async () => pem(craftCsr({ key: await rsaKey('wide', 3072) })),
  'SHA-384': () => csr({ digest: 'sha384', algorithm: sequence(oid(OID.sha384WithRsa), nothing()) }),
  'SHA-512': () => csr({ digest: 'sha512', algorithm: sequence(oid(OID.sha512WithRsa), nothing()) }),
  'lines that end as on DOS': async () => (await createCsr({ key })).replaceAll('\n', '\r\n'),
};

/** A SubjectPublicKeyInfo of numbers, valid as a key or not. */
const rsaNumbers = (modulus: Uint8Array, exponent: Uint8Array): Asn1 =>
  sequence(
    sequence(oid(OID.rsaEncryption), nothing()),
    bitString(encode(sequence(integer(modulus), integer(exponent)))),
  );
const modulusOf = (bits: number, last: number): Uint8Array => {
  const octets = new Uint8Array(bits / 8 + 1).fill(0xa5, 1);
  octets[octets.length - 1] = last;
  return octets;
};
const E65537 = Uint8Array.of(1, 0, 1);
const nested = (depth: number): Asn1 => (depth === 0 ? nothing() : sequence(nested(depth - 1)));
const plain = (): Uint8Array => craftCsr({ key });
const text = (): string => pem(plain());

/** Requests that are rejected, with the reason. */
const REFUSED: Readonly<Record<string, readonly [CsrRejection, () => string | Promise<string>]>> = {
  'signed by another key': ['signature', () => csr({ signer: other })],
  "another's public key": ['signature', () => csr({ spki: publicKeyInfo(other) })],
  'a flipped signature bit': ['signature', () => csr({ signature: flipped() })],
  'an empty signature': ['signature', () => csr({ signature: new Uint8Array() })],
  'a signature of zeros': ['signature', () => csr({ signature: new Uint8Array(256) })],
  'a signature one octet too long': ['signature', () => csr({ signature: Uint8Array.of(...flipped(), 0) })],
  'named SHA-512, signed with SHA-256': [
    'signature',
    () => csr({ algorithm: sequence(oid(OID.sha512WithRsa), nothing()) }),
  ],
  'named ECDSA, signed with RSA': ['signature', () => csr({ algorithm: sequence(oid(OID.ecdsaWithSha256)) })],
  'signed with SHA-1': [
    'signature-algorithm',
    () => csr({ digest: 'sha1', algorithm: sequence(oid('1.2.840.113549.1.1.5'), nothing()) }),
  ],
  'signed with MD5': [
    'signature-algorithm',
    () => csr({ algorithm: sequence(oid('1.2.840.113549.1.1.4'), nothing()) }),
  ],
  'an algorithm that is not known': ['signature-algorithm', () => csr({ algorithm: sequence(oid('1.2.3.4')) })],
  'an algorithm without parameters': [
    'signature-algorithm',
    () => csr({ algorithm: sequence(oid(OID.sha256WithRsa)) }),
  ],
  'a key of 1024 bits': ['key-not-allowed', async () => pem(craftCsr({ key: await rsaKey('weak', 1024) }))],
  'a key of 512 bits': ['key-not-allowed', () => csr({ spki: rsaNumbers(modulusOf(512, 1), E65537) })],
  'a key of 2041 bits': [
    'key-not-allowed',
    () => csr({ spki: rsaNumbers(Uint8Array.of(1, ...new Uint8Array(255).fill(0x81)), E65537) }),
  ],
  'a key of 8192 bits': ['key-not-allowed', () => csr({ spki: rsaNumbers(modulusOf(8192, 1), E65537) })],
  'a key of 16384 bits': ['key-not-allowed', () => csr({ spki: rsaNumbers(modulusOf(16_384, 1), E65537) })],
  'exponent 1': ['key-not-allowed', () => csr({ spki: rsaNumbers(modulusOf(2048, 1), Uint8Array.of(1)) })],
  'exponent 3': ['key-not-allowed', async () => pem(craftCsr({ key: await rsaKey('three', 2048, 3) }))],
  'exponent 2^64+1': [
    'key-not-allowed',
    () => csr({ spki: rsaNumbers(modulusOf(2048, 1), Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 1)) }),
  ],
  'an even modulus': ['key-not-allowed', () => csr({ spki: rsaNumbers(modulusOf(2048, 2), E65537) })],
  'a modulus of zero': ['malformed', () => csr({ spki: rsaNumbers(Uint8Array.of(0), E65537) })],
  'a negative modulus': ['malformed', () => csr({ spki: rsaNumbers(new Uint8Array(256).fill(0xa5), E65537) })],
  'an RSA key with parameters': [
    'malformed',
    () =>
      csr({
        spki: sequence(
          sequence(oid(OID.rsaEncryption), sequence()),
          bitString(encode(sequence(integer(modulusOf(2048, 1)), integer(E65537)))),
        ),
      }),
  ],
  'a key on P-256': [
    'key-not-allowed',
    async () => pem(craftCsr({ key: await ecKey('p', 'prime256v1'), algorithm: sequence(oid(OID.ecdsaWithSha256)) })),
  ],
  'a key on P-224': [
    'key-not-allowed',
    () => csr({ spki: sequence(sequence(oid(OID.ecPublicKey), oid('1.3.132.0.33')), bitString(new Uint8Array(57))) }),
  ],
  'explicit curve parameters': [
    'key-not-allowed',
    () =>
      csr({ spki: sequence(sequence(oid(OID.ecPublicKey), sequence(smallInteger(1))), bitString(new Uint8Array(65))) }),
  ],
  'a key of Ed25519': [
    'key-not-allowed',
    async () => pem(craftCsr({ key: await ed25519Key('e'), digest: null, algorithm: sequence(oid(OID.ed25519)) })),
  ],
  'a key of Ed448': [
    'key-not-allowed',
    () => csr({ spki: sequence(sequence(oid('1.3.101.113')), bitString(new Uint8Array(57))) }),
  ],
  'a key of DSA': [
    'key-not-allowed',
    () => csr({ spki: sequence(sequence(oid('1.2.840.10040.4.1')), bitString(new Uint8Array(64))) }),
  ],
  'version 2': ['malformed', () => csr({ version: 1 })],
  'a field too many': ['malformed', () => csr({ extra: [nothing()] })],
  'nested 20 deep': ['malformed', () => asking(extension('1.2.3', nothing()), nested(20))],
  'nested 2000 deep': ['malformed', () => pem(encode(nested(2000)))],
  'an octet after the end': ['malformed', () => pem(Uint8Array.of(...plain(), 0))],
  'cut short by one octet': ['malformed', () => pem(plain().subarray(0, -1))],
  'cut in half': ['malformed', () => pem(plain().subarray(0, 200))],
  'no octets': ['malformed', () => pem(Uint8Array.of(0x30, 0))],
  'indefinite length': ['malformed', () => pem(Uint8Array.of(0x30, 0x80, ...plain().subarray(4), 0, 0))],
  'a length that is not minimal': ['malformed', () => pem(Uint8Array.of(0x30, 0x83, 0x00, ...plain().subarray(2)))],
  'a length beyond the end': ['malformed', () => pem(Uint8Array.of(0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 0x00))],
  'a length of five octets': ['malformed', () => pem(Uint8Array.of(0x30, 0x85, 0x01, 0, 0, 0, 0, 0))],
  'ten megabytes': ['malformed', () => `${text()}${'A'.repeat(10_000_000)}`],
  'a PEM just over its cap': ['malformed', () => text() + '\n'.repeat(16 * 1024)],
  'two requests': ['malformed', () => text() + text()],
  'text before it': ['malformed', () => `hello\n${text()}`],
  'text after it': ['malformed', () => `${text()}hello\n`],
  'a byte order mark': ['malformed', () => `\ufeff-${text()}`],
  'no end line': ['malformed', () => text().replace(/-----END.*/s, '')],
  'another end line': ['malformed', () => text().replace('END CERTIFICATE REQUEST', 'END CERTIFICATE')],
  'a certificate instead': ['malformed', () => writePem('CERTIFICATE', ca.certificate.der)],
  'the old label': ['malformed', () => writePem('NEW CERTIFICATE REQUEST', plain())],
  'letters outside base64': ['malformed', () => text().replace('MII', 'M*I')],
  'base64 with a digit missing': ['malformed', () => text().replace('MII', 'MI')],
  'an empty text': ['malformed', () => ''],
  'no PEM at all': ['malformed', () => Buffer.from(plain()).toString('latin1')],
};

function flipped(): Uint8Array {
  const signature = Uint8Array.from(sign('sha256', new Uint8Array(3), key));
  signature[100] = (signature[100] ?? 0) ^ 1;
  return signature;
}

/** Fields of a leaf from node:crypto and its text form; everything except key, serial and signature. */
function fields(certificate: X509Certificate): Readonly<Record<string, unknown>> {
  return {
    subject: certificate.subject,
    issuer: certificate.issuer,
    names: certificate.subjectAltName,
    ca: certificate.ca,
    usage: certificate.keyUsage,
    from: new Date(certificate.validFrom).toISOString(),
    to: new Date(certificate.validTo).toISOString(),
  };
}

const TEMPLATE = {
  subject: 'O=Meshrelay\nCN=agent',
  issuer: 'O=Meshrelay\nCN=relay root',
  names: `URI:${IDENTITY}`,
  ca: false,
  usage: nativeUsage(OID.clientAuth),
  from: '2030-06-15T11:55:00.000Z',
  to: '2030-07-15T12:00:00.000Z',
};

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.log('SKIPPED openssl is not installed');

/** The purposes that openssl accepts for a chain of one. */
function opensslVerifies(leafPem: string, purpose: string): boolean {
  using folder = temporaryFolder();
  const [leaf, root] = [join(folder.path, 'leaf.pem'), join(folder.path, 'root.pem')];
  writeFileSync(leaf, leafPem);
  writeFileSync(root, writePem('CERTIFICATE', ca.certificate.der));
  const at = String(NOW.getTime() / 1000);
  return (
    spawnSync('openssl', ['verify', '-x509_strict', '-attime', at, '-purpose', purpose, '-CAfile', root, leaf])
      .status === 0
  );
}

const rootKey: KeyObject = new X509Certificate(ca.certificate.der).publicKey;

for (const [what, make] of Object.entries(IGNORED)) {
  test(`T4: only the template decides: ${what}`, async () => {
    const issued = await issueAgentCertificate({ ca, csrPem: await make(), identity: IDENTITY, now: NOW });
    assert.ok(issued.ok, JSON.stringify(issued));
    if (!issued.ok) return;
    const native = new X509Certificate(issued.certificatePem);
    assert.equal(fields(native), TEMPLATE);
    assert.ok(native.verify(rootKey));
    const own = issued.certificate.extensions;
    assert.equal([...(own.keyUsage ?? [])], [0]);
    assert.equal([...own.critical].sort(), [OID.keyUsage, OID.basicConstraints].sort());
    assert.is(own.present.size, 6);
    assert.match(issued.certificate.serial, /^[4-7][0-9a-f]{31}$/);
    if (hasOpenssl) {
      assert.ok(opensslVerifies(issued.certificatePem, 'sslclient'));
      assert.not.ok(opensslVerifies(issued.certificatePem, 'sslserver'));
    }
  });
}

for (const [what, [reason, make]] of Object.entries(REFUSED)) {
  test(`T4: rejects a request: ${what}`, async () => {
    const result = await issueAgentCertificate({ ca, csrPem: await make(), identity: IDENTITY, now: NOW });
    assert.is(result.ok ? 'issued' : result.reason, reason, result.ok ? '' : result.message);
  });
}

test('T4: the corpus has at least sixty requests', () => {
  assert.ok(Object.keys(IGNORED).length + Object.keys(REFUSED).length >= 60);
});

test.run();
