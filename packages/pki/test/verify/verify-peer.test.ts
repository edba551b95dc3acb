/** Chains from agents and servers: valid ones, and every known kind of invalid one. */
import { X509Certificate } from 'node:crypto';
import { assert, test } from '@meshrelay/testing';
import {
  boolean,
  nothing,
  octetString,
  oid,
  sequence,
  smallInteger,
  tagged,
  taggedOctets,
} from '../../src/asn1/der-build.ts';
import { OID } from '../../src/asn1/oids.ts';
import { readCertificate } from '../../src/certificate/certificate.ts';
import { trustBundle } from '../../src/certificate/trust-bundle.ts';
import { writePem } from '../../src/pem.ts';
import { trustDomain } from '../../src/spiffe/spiffe-id.ts';
import type { VerifyFailureReason } from '../../src/verify/verify-failure.ts';
import { type VerifiedPeer, verifyPeer } from '../../src/verify/verify-peer.ts';
import {
  agentExtensions,
  authorityExtensions,
  type CraftedCertificate,
  type CraftedExtensions,
  craftCertificate,
  DAY,
  dns,
  email,
  extension,
  ip,
  keyId,
  keyUsage,
  NOW,
  name,
  uri,
} from '../crafted.ts';
import { ecKey, rsaKey } from '../test-keys.ts';

const DOMAIN = trustDomain('relay.example');
const IDENTITY = 'spiffe://relay.example/cluster/c1/agent';
const [rootKey, caKey, leafKey, otherKey] = await Promise.all([
  rsaKey('root'),
  rsaKey('ca'),
  rsaKey('leaf'),
  rsaKey('other'),
]);

const makeRoot = (changes: Partial<CraftedCertificate> = {}): Uint8Array =>
  craftCertificate({
    key: rootKey,
    issuerKey: rootKey,
    subject: name('root'),
    issuer: name('root'),
    extensions: authorityExtensions(rootKey, rootKey),
    ...changes,
  });
const makeCa = (changes: Partial<CraftedCertificate> = {}): Uint8Array =>
  craftCertificate({
    key: caKey,
    issuerKey: rootKey,
    subject: name('ca'),
    issuer: name('root'),
    extensions: authorityExtensions(caKey, rootKey, 0),
    ...changes,
  });

const LEAF = agentExtensions(leafKey, rootKey, IDENTITY);
const makeLeaf = (changes: Partial<CraftedCertificate> = {}, extensions: CraftedExtensions = {}): Uint8Array =>
  craftCertificate({ key: leafKey, issuerKey: rootKey, extensions: { ...LEAF, ...extensions }, ...changes });
const leafOfCa = (extensions: CraftedExtensions = {}, changes: Partial<CraftedCertificate> = {}): Uint8Array =>
  craftCertificate({
    key: leafKey,
    issuerKey: caKey,
    issuer: name('ca'),
    extensions: { ...agentExtensions(leafKey, caKey, IDENTITY), ...extensions },
    ...changes,
  });
const names = (...list: Parameters<typeof sequence>): CraftedExtensions => ({
  subjectAltName: extension(OID.subjectAltName, sequence(...list)),
});

const roots = trustBundle([readCertificate(makeRoot())]);
const verify = (
  chain: string | readonly Uint8Array[],
  more: { roots?: typeof roots; now?: Date; graceDays?: number } = {},
): ReturnType<typeof verifyPeer> =>
  verifyPeer({ purpose: 'agent', trustDomain: DOMAIN, roots, now: NOW, chain, ...more });

function accepted(peer: ReturnType<typeof verifyPeer>): VerifiedPeer {
  if (!peer.ok) throw new Error(`${peer.reason}: ${peer.message}`);
  return peer;
}

test('a valid leaf yields identity, cluster, expiry, serial and fingerprint, as in node:crypto', () => {
  const leaf = makeLeaf();
  const peer = accepted(verify([leaf]));
  const native = new X509Certificate(leaf);
  assert.is(peer.identity, IDENTITY);
  assert.is(peer.cluster, 'c1');
  assert.is(peer.expiry.getTime(), new Date(native.validTo).getTime());
  assert.is(peer.serial.toUpperCase(), native.serialNumber);
  assert.is(peer.fingerprint.toUpperCase(), native.fingerprint256.replaceAll(':', ''));
  assert.is(peer.expired, false);
  assert.is(peer.path.length, 2);
});

test('accepts valid chains', () => {
  const cases: Record<string, readonly Uint8Array[]> = {
    'through an intermediate': [leafOfCa(), makeCa()],
    'with the root sent along': [leafOfCa(), makeCa(), makeRoot()],
    'intermediates in any order, with an unrelated one': [
      leafOfCa(),
      makeRoot(),
      craftCertificate({
        key: otherKey,
        issuerKey: otherKey,
        subject: name('x'),
        issuer: name('x'),
        extensions: authorityExtensions(otherKey, otherKey),
      }),
      makeCa(),
    ],
    'an empty subject with a critical name': [
      makeLeaf(
        { subject: sequence() },
        { subjectAltName: extension(OID.subjectAltName, sequence(uri(IDENTITY)), true) },
      ),
    ],
    'a DNS name in addition to the identity': [makeLeaf({}, names(dns('agent.c1'), uri(IDENTITY)))],
    'a second purpose': [
      makeLeaf(
        {},
        { extendedKeyUsage: extension(OID.extendedKeyUsage, sequence(oid(OID.clientAuth), oid(OID.serverAuth))) },
      ),
    ],
    'an unknown extension that is not critical': [makeLeaf({}, { more: extension('1.2.3.4', nothing()) })],
    'no basic constraints': [makeLeaf({}, { basicConstraints: undefined })],
    'a CA without key usage bits beyond keyCertSign': [
      leafOfCa(),
      makeCa({ extensions: { ...authorityExtensions(caKey, rootKey, 0), keyUsage: keyUsage(0x04, 2) } }),
    ],
  };
  for (const [what, chain] of Object.entries(cases)) assert.is(accepted(verify(chain)).cluster, 'c1', what);
});

test('accepts PEM as well as DER, with DOS line ends too', () => {
  const pem = [leafOfCa(), makeCa()].map((der) => writePem('CERTIFICATE', der)).join('');
  accepted(verify(pem));
  accepted(verify(pem.replaceAll('\n', '\r\n')));
});

test('accepts a leaf and a CA with EC keys', async () => {
  for (const [curve, algorithm, digest] of [
    ['prime256v1', OID.ecdsaWithSha256, 'sha256'],
    ['secp384r1', OID.ecdsaWithSha384, 'sha384'],
  ] as const) {
    const [top, bottom] = await Promise.all([ecKey('top', curve), ecKey('bottom', curve)]);
    const signed = { algorithm: sequence(oid(algorithm)), digest };
    const root = makeRoot({ key: top, issuerKey: top, extensions: authorityExtensions(top, top), ...signed });
    const leaf = craftCertificate({
      key: bottom,
      issuerKey: top,
      extensions: agentExtensions(bottom, top, IDENTITY),
      ...signed,
    });
    accepted(verify([leaf], { roots: trustBundle([readCertificate(root)]) }));
  }
});

/** Invalid leaves under the root. */
const WRONG_LEAVES: Readonly<Record<string, readonly [VerifyFailureReason, () => Uint8Array]>> = {
  'it has ended': ['expired', () => makeLeaf({ notAfter: new Date(NOW.getTime() - 1000) })],
  'it has not begun': ['not-yet-valid', () => makeLeaf({ notBefore: new Date(NOW.getTime() + 1000) })],
  'it ends before it begins': [
    'not-well-formed',
    () => makeLeaf({ notBefore: new Date(NOW.getTime() + DAY), notAfter: new Date(NOW.getTime() - DAY) }),
  ],
  'it is for servers': [
    'extended-key-usage',
    () => makeLeaf({}, { extendedKeyUsage: extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))) }),
  ],
  'it has no purpose': ['extended-key-usage', () => makeLeaf({}, { extendedKeyUsage: undefined })],
  'it has any purpose': [
    'extended-key-usage',
    () => makeLeaf({}, { extendedKeyUsage: extension(OID.extendedKeyUsage, sequence(oid(OID.anyExtendedKeyUsage))) }),
  ],
  'its list of purposes is empty': [
    'malformed',
    () => makeLeaf({}, { extendedKeyUsage: extension(OID.extendedKeyUsage, sequence()) }),
  ],
  'it is a CA': [
    'leaf-is-ca',
    () =>
      makeLeaf(
        {},
        {
          basicConstraints: extension(OID.basicConstraints, sequence(boolean(true)), true),
          keyUsage: keyUsage(0x86, 1),
        },
      ),
  ],
  'it is a CA by its flag alone': [
    'leaf-is-ca',
    () => makeLeaf({}, { basicConstraints: extension(OID.basicConstraints, sequence(boolean(true)), true) }),
  ],
  'it has keyCertSign': ['key-usage', () => makeLeaf({}, { keyUsage: keyUsage(0x84, 2) })],
  'it has cRLSign': ['key-usage', () => makeLeaf({}, { keyUsage: keyUsage(0x82, 1) })],
  'it lacks digitalSignature': ['key-usage', () => makeLeaf({}, { keyUsage: keyUsage(0x20, 5) })],
  'it has no key usage': ['key-usage', () => makeLeaf({}, { keyUsage: undefined })],
  'its key usage is empty': ['malformed', () => makeLeaf({}, { keyUsage: keyUsage(0, 0) })],
  'it has name constraints': [
    'not-well-formed',
    () => makeLeaf({}, { nc: extension(OID.nameConstraints, sequence(tagged(0, sequence(uri('x.example'))))) }),
  ],
  'it has no names': ['identity', () => makeLeaf({}, { subjectAltName: undefined })],
  'only its common name names it': [
    'identity',
    () => makeLeaf({ subject: name(IDENTITY) }, { subjectAltName: undefined }),
  ],
  'it has only a DNS name': ['identity', () => makeLeaf({}, names(dns('c1.example')))],
  'its identity is a DNS name': ['malformed', () => makeLeaf({}, names(dns(IDENTITY)))],
  'it has two identities': [
    'identity',
    () => makeLeaf({}, names(uri(IDENTITY), uri('spiffe://relay.example/cluster/c2/agent'))),
  ],
  'it has its identity twice': ['identity', () => makeLeaf({}, names(uri(IDENTITY), uri(IDENTITY)))],
  'it has a web address besides': ['identity', () => makeLeaf({}, names(uri(IDENTITY), uri('https://relay.example/')))],
  'its identity is a web address': [
    'identity',
    () => makeLeaf({}, names(uri('https://relay.example/cluster/c1/agent'))),
  ],
  'its list of names is empty': ['malformed', () => makeLeaf({}, names())],
  'its identity has capitals': ['identity', () => makeLeaf({}, names(uri('spiffe://Relay.example/cluster/c1/agent')))],
  'its scheme has capitals': ['identity', () => makeLeaf({}, names(uri('SPIFFE://relay.example/cluster/c1/agent')))],
  'its cluster has capitals': ['identity', () => makeLeaf({}, names(uri('spiffe://relay.example/cluster/C1/agent')))],
  'its identity ends in a slash': ['identity', () => makeLeaf({}, names(uri(`${IDENTITY}/`)))],
  'its identity has a query': ['identity', () => makeLeaf({}, names(uri(`${IDENTITY}?a=b`)))],
  'its identity has a fragment': ['identity', () => makeLeaf({}, names(uri(`${IDENTITY}#a`)))],
  'its identity has a port': ['identity', () => makeLeaf({}, names(uri('spiffe://relay.example:1/cluster/c1/agent')))],
  'its identity has a user': ['identity', () => makeLeaf({}, names(uri('spiffe://x@relay.example/cluster/c1/agent')))],
  'its identity has %2f': ['identity', () => makeLeaf({}, names(uri('spiffe://relay.example/cluster%2fc1/agent')))],
  'its identity has a NUL': ['malformed', () => makeLeaf({}, names(uri(`${IDENTITY}\0x`)))],
  'its identity has a line end': ['malformed', () => makeLeaf({}, names(uri(`${IDENTITY}\n`)))],
  'its identity has letters beyond ASCII': [
    'malformed',
    () => makeLeaf({}, names(uri('spiffe://relay.example/cluster/ç1/agent'))),
  ],
  'its identity has no path': ['identity', () => makeLeaf({}, names(uri('spiffe://relay.example')))],
  "its identity is another role's": [
    'identity',
    () => makeLeaf({}, names(uri('spiffe://relay.example/cluster/c1/server'))),
  ],
  "its identity is a workload's": [
    'identity',
    () => makeLeaf({}, names(uri('spiffe://relay.example/ns/default/sa/agent'))),
  ],
  'its identity continues': ['identity', () => makeLeaf({}, names(uri(`${IDENTITY}/more`)))],
  'its trust domain is another': [
    'trust-domain',
    () => makeLeaf({}, names(uri('spiffe://cluster.local/cluster/c1/agent'))),
  ],
  'its trust domain only begins the same': [
    'trust-domain',
    () => makeLeaf({}, names(uri('spiffe://relay.example.evil/cluster/c1/agent'))),
  ],
  'its IP address has five octets': ['malformed', () => makeLeaf({}, names(ip(1, 2, 3, 4, 5), uri(IDENTITY)))],
  'a mail address has two ats': ['malformed', () => makeLeaf({}, names(email('a@b@c.d'), uri(IDENTITY)))],
  'a DNS name has a wildcard inside': ['malformed', () => makeLeaf({}, names(dns('a*.example.com'), uri(IDENTITY)))],
  'a DNS name is one wildcard': ['malformed', () => makeLeaf({}, names(dns('*'), uri(IDENTITY)))],
  'an extension stands twice': [
    'malformed',
    () => makeLeaf({}, { again: extension(OID.keyUsage, octetString(Uint8Array.of(1))) }),
  ],
  'a critical extension is not known': [
    'unknown-critical-extension',
    () => makeLeaf({}, { more: extension('1.2.3.4', nothing(), true) }),
  ],
  'it constrains policies': [
    'unknown-critical-extension',
    () => makeLeaf({}, { more: extension(OID.policyConstraints, sequence()) }),
  ],
  'its subject key identifier is critical': [
    'not-well-formed',
    () =>
      makeLeaf({}, { subjectKeyIdentifier: extension(OID.subjectKeyIdentifier, octetString(keyId(leafKey)), true) }),
  ],
  'it does not name the key that signed it': [
    'not-well-formed',
    () => makeLeaf({}, { authorityKeyIdentifier: undefined }),
  ],
  'it names another key that signed it': [
    'untrusted',
    () =>
      makeLeaf(
        {},
        { authorityKeyIdentifier: extension(OID.authorityKeyIdentifier, sequence(taggedOctets(0, keyId(otherKey)))) },
      ),
  ],
  'its serial number is zero': ['not-well-formed', () => makeLeaf({ serial: Uint8Array.of(0) })],
  'its serial number is negative': ['not-well-formed', () => makeLeaf({ serial: Uint8Array.of(0xff, 0x01) })],
  'its serial number has 21 octets': ['not-well-formed', () => makeLeaf({ serial: new Uint8Array(21).fill(1) })],
  'it is of version 1': ['not-well-formed', () => craftCertificate({ key: leafKey, issuerKey: rootKey, version: 1 })],
  'it is of version 2': ['not-well-formed', () => makeLeaf({ version: 2 })],
  'its subject is empty and its name not critical': ['not-well-formed', () => makeLeaf({ subject: sequence() })],
  'its issuer is empty': ['untrusted', () => makeLeaf({ issuer: sequence() })],
  'its issuer is another': ['untrusted', () => makeLeaf({ issuer: name('other') })],
  'another key signed it': ['signature', () => makeLeaf({ issuerKey: otherKey })],
  'it signed itself': ['signature', () => makeLeaf({ issuerKey: leafKey })],
  'it is signed with SHA-1': [
    'signature-algorithm',
    () => makeLeaf({ digest: 'sha1', algorithm: sequence(oid('1.2.840.113549.1.1.5'), nothing()) }),
  ],
  'it names MD5': [
    'signature-algorithm',
    () => makeLeaf({ algorithm: sequence(oid('1.2.840.113549.1.1.4'), nothing()) }),
  ],
  'it names two algorithms': [
    'not-well-formed',
    () => makeLeaf({ innerAlgorithm: sequence(oid(OID.sha384WithRsa), nothing()) }),
  ],
  'its key identifier is cut off': [
    'malformed',
    () => makeLeaf({}, { authorityKeyIdentifier: extension(OID.authorityKeyIdentifier, sequence()) }),
  ],
  'its path length has no CA': [
    'malformed',
    () => makeLeaf({}, { basicConstraints: extension(OID.basicConstraints, sequence(smallInteger(0)), true) }),
  ],
  'its basic constraints hold something else': [
    'malformed',
    () =>
      makeLeaf(
        {},
        { basicConstraints: extension(OID.basicConstraints, sequence(taggedOctets(1, Uint8Array.of(1))), true) },
      ),
  ],
};

for (const [what, [reason, make]] of Object.entries(WRONG_LEAVES)) {
  test(`rejects a leaf: ${what}`, () => {
    const result = verify([make()]);
    assert.is(result.ok ? 'accepted' : result.reason, reason, result.ok ? '' : result.message);
  });
}

const AUTHORITY = authorityExtensions(caKey, rootKey, 0);

/** Invalid chains above a valid leaf. */
const WRONG_CHAINS: Readonly<Record<string, readonly [VerifyFailureReason, () => readonly Uint8Array[]]>> = {
  'no certificate': ['malformed', () => []],
  'the intermediate is missing': ['untrusted', () => [leafOfCa()]],
  'the leaf comes second': ['leaf-is-ca', () => [makeCa(), leafOfCa()]],
  'thirteen certificates': ['chain-too-long', () => [leafOfCa(), ...Array.from({ length: 12 }, () => makeCa())]],
  'the intermediate has ended': ['expired', () => [leafOfCa(), makeCa({ notAfter: new Date(NOW.getTime() - 1000) })]],
  'the intermediate has not begun': [
    'not-yet-valid',
    () => [leafOfCa(), makeCa({ notBefore: new Date(NOW.getTime() + 1000) })],
  ],
  'the intermediate is not a CA': [
    'not-a-ca',
    () => [
      leafOfCa(),
      makeCa({
        extensions: {
          ...AUTHORITY,
          basicConstraints: extension(OID.basicConstraints, sequence(), true),
          keyUsage: keyUsage(0x80, 7),
        },
      }),
    ],
  ],
  'the intermediate has no basic constraints': [
    'not-a-ca',
    () => [leafOfCa(), makeCa({ extensions: { ...AUTHORITY, basicConstraints: undefined } })],
  ],
  'the intermediate may not sign': [
    'key-usage',
    () => [leafOfCa(), makeCa({ extensions: { ...AUTHORITY, keyUsage: keyUsage(0x80, 7) } })],
  ],
  'the intermediate has no key identifier': [
    'not-well-formed',
    () => [leafOfCa(), makeCa({ extensions: { ...AUTHORITY, subjectKeyIdentifier: undefined } })],
  ],
  'the intermediate is for servers': [
    'extended-key-usage',
    () => [
      leafOfCa(),
      makeCa({ extensions: { ...AUTHORITY, eku: extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))) } }),
    ],
  ],
  'the intermediate is of another root of the same name': [
    'signature',
    () => [leafOfCa(), makeCa({ issuerKey: otherKey })],
  ],
  'the intermediate has another key': [
    'untrusted',
    () => [leafOfCa(), makeCa({ key: otherKey, extensions: authorityExtensions(otherKey, rootKey, 0) })],
  ],
  'a leaf issued another': [
    'leaf-is-ca',
    () => [
      craftCertificate({
        key: otherKey,
        issuerKey: leafKey,
        issuer: name('leaf'),
        extensions: {
          ...agentExtensions(otherKey, leafKey, IDENTITY),
          basicConstraints: extension(OID.basicConstraints, sequence(boolean(true)), true),
        },
      }),
      makeLeaf(),
    ],
  ],
  'an agent issued another agent': [
    'not-a-ca',
    () => [
      craftCertificate({
        key: otherKey,
        issuerKey: leafKey,
        issuer: name('leaf'),
        extensions: agentExtensions(otherKey, leafKey, 'spiffe://relay.example/cluster/c2/agent'),
      }),
      makeLeaf(),
    ],
  ],
  'a CA below path length 0': [
    'path-length',
    () => [
      craftCertificate({
        key: leafKey,
        issuerKey: otherKey,
        issuer: name('sub'),
        extensions: agentExtensions(leafKey, otherKey, IDENTITY),
      }),
      craftCertificate({
        key: otherKey,
        issuerKey: caKey,
        subject: name('sub'),
        issuer: name('ca'),
        extensions: authorityExtensions(otherKey, caKey),
      }),
      makeCa(),
    ],
  ],
  'the root in its chain is not trusted': [
    'untrusted',
    () => [
      craftCertificate({
        key: leafKey,
        issuerKey: otherKey,
        issuer: name('evil'),
        extensions: agentExtensions(leafKey, otherKey, IDENTITY),
      }),
      craftCertificate({
        key: otherKey,
        issuerKey: otherKey,
        subject: name('evil'),
        issuer: name('evil'),
        extensions: authorityExtensions(otherKey, otherKey),
      }),
    ],
  ],
  'the identity is outside the name constraints': [
    'name-constraints',
    () => [
      leafOfCa(),
      makeCa({
        extensions: {
          ...AUTHORITY,
          nc: extension(OID.nameConstraints, sequence(tagged(0, sequence(uri('other.example')))), true),
        },
      }),
    ],
  ],
  'the identity is excluded': [
    'name-constraints',
    () => [
      leafOfCa(),
      makeCa({
        extensions: {
          ...AUTHORITY,
          nc: extension(OID.nameConstraints, sequence(tagged(1, sequence(uri('relay.example')))), true),
        },
      }),
    ],
  ],
  'the DNS name is excluded': [
    'name-constraints',
    () => [
      leafOfCa(names(uri(IDENTITY), dns('*.example.com'))),
      makeCa({
        extensions: {
          ...AUTHORITY,
          nc: extension(OID.nameConstraints, sequence(tagged(1, sequence(dns('a.example.com')))), true),
        },
      }),
    ],
  ],
  'the name constraints are empty': [
    'malformed',
    () => [leafOfCa(), makeCa({ extensions: { ...AUTHORITY, nc: extension(OID.nameConstraints, sequence(), true) } })],
  ],
};

for (const [what, [reason, make]] of Object.entries(WRONG_CHAINS)) {
  test(`rejects a chain: ${what}`, () => {
    const result = verify(make());
    assert.is(result.ok ? 'accepted' : result.reason, reason, result.ok ? '' : result.message);
  });
}

/** Invalid texts and octets. */
const WRONG_BYTES: Readonly<Record<string, () => string | readonly Uint8Array[]>> = {
  'an octet after the certificate': () => [Uint8Array.of(...makeLeaf(), 0)],
  'a certificate cut short': () => [makeLeaf().subarray(0, -1)],
  'no octets': () => [new Uint8Array()],
  'a certificate of 40 KiB': () => [makeLeaf({}, { more: extension('1.2.3.4', octetString(new Uint8Array(40_000))) })],
  'an empty text': () => '',
  'a key in addition to the certificate': () =>
    writePem('CERTIFICATE', makeLeaf()) + writePem('PRIVATE KEY', new Uint8Array(9)),
  'text after the certificate': () => `${writePem('CERTIFICATE', makeLeaf())}garbage`,
  'a byte order mark': () => `\ufeffx${writePem('CERTIFICATE', makeLeaf())}`,
  'a text of forty million letters': () => 'A'.repeat(40_000_000),
};

for (const [what, make] of Object.entries(WRONG_BYTES)) {
  test(`rejects bytes: ${what}`, () => {
    const result = verify(make());
    assert.is(result.ok ? 'accepted' : result.reason, 'malformed');
  });
}

test('rejects a root that expired, is not a CA, or whose basic constraints are not critical', () => {
  const own = authorityExtensions(rootKey, rootKey);
  const cases: readonly (readonly [VerifyFailureReason, Uint8Array])[] = [
    ['expired', makeRoot({ notAfter: new Date(NOW.getTime() - 1000) })],
    ['not-a-ca', makeRoot({ extensions: { ...own, basicConstraints: undefined } })],
    [
      'not-well-formed',
      makeRoot({ extensions: { ...own, basicConstraints: extension(OID.basicConstraints, sequence(boolean(true))) } }),
    ],
  ];
  for (const [reason, root] of cases) {
    const result = verify([makeLeaf()], { roots: trustBundle([readCertificate(root)]) });
    assert.is(result.ok ? 'accepted' : result.reason, reason);
  }
});

test('with no roots nothing is trusted', () => {
  const result = verify([makeLeaf()], { roots: trustBundle([]) });
  assert.is(result.ok ? '' : result.reason, 'untrusted');
});

test('during a root rotation, leaves of both roots are accepted, in either order', () => {
  const next = makeRoot({ key: otherKey, issuerKey: otherKey, extensions: authorityExtensions(otherKey, otherKey) });
  const both = [readCertificate(makeRoot()), readCertificate(next)];
  const ofNext = craftCertificate({
    key: leafKey,
    issuerKey: otherKey,
    extensions: agentExtensions(leafKey, otherKey, IDENTITY),
  });
  for (const bundle of [trustBundle(both), trustBundle(both.toReversed())]) {
    accepted(verify([makeLeaf()], { roots: bundle }));
    accepted(verify([ofNext], { roots: bundle }));
  }
  assert.is(trustBundle(both).hash, trustBundle([...both, ...both].toReversed()).hash);
});

test('if one path has an expired CA, the path through its renewed certificate is used', () => {
  const ended = makeCa({ notAfter: new Date(NOW.getTime() - 1000) });
  accepted(verify([leafOfCa(), ended, makeCa()]));
});

test('cross-signed CAs do not loop', async () => {
  const keys = await Promise.all(['x0', 'x1', 'x2', 'x3'].map((one) => rsaKey(one)));
  const crossed = keys.flatMap((key, to) =>
    keys.map((issuerKey, by) =>
      craftCertificate({
        key,
        issuerKey,
        subject: name(`x${to}`),
        issuer: name(`x${by}`),
        extensions: authorityExtensions(key, issuerKey),
      }),
    ),
  );
  const [first] = keys;
  assert.ok(first);
  const leaf = craftCertificate({
    key: leafKey,
    issuerKey: first,
    issuer: name('x0'),
    extensions: agentExtensions(leafKey, first, IDENTITY),
  });
  const result = verify([leaf, ...crossed.slice(0, 11)]);
  assert.ok(
    !result.ok && (result.reason === 'untrusted' || result.reason === 'chain-too-long'),
    JSON.stringify(result),
  );
});

test('both ends of the validity count as valid, to the second', () => {
  const leaf = makeLeaf({ notBefore: new Date('2030-06-15T12:00:00Z'), notAfter: new Date('2030-06-15T13:00:00Z') });
  const reason = (now: string): string => {
    const result = verify([leaf], { now: new Date(now) });
    return result.ok ? 'ok' : result.reason;
  };
  assert.is(reason('2030-06-15T11:59:59.999Z'), 'not-yet-valid');
  assert.is(reason('2030-06-15T12:00:00.000Z'), 'ok');
  assert.is(reason('2030-06-15T13:00:00.999Z'), 'ok');
  assert.is(reason('2030-06-15T13:00:01.000Z'), 'expired');
});

test('an expired leaf, and only the leaf, is accepted for renewal within its grace period', () => {
  const long = trustBundle([readCertificate(makeRoot({ notAfter: new Date(NOW.getTime() + 400 * DAY) }))]);
  const at = (days: number): Date => new Date(NOW.getTime() + days * DAY);
  assert.is(accepted(verify([makeLeaf()], { roots: long, now: at(30), graceDays: 30 })).expired, true);
  for (const [now, graceDays] of [
    [at(32), 30],
    [at(2), 0],
  ] as const) {
    const result = verify([makeLeaf()], { roots: long, now, graceDays });
    assert.is(result.ok ? 'accepted' : result.reason, 'expired');
  }
  const caEnded = verify([leafOfCa(), makeCa()], { roots: long, now: at(2), graceDays: 30 });
  assert.is(caEnded.ok ? 'accepted' : caEnded.reason, 'expired');
});

test('a rejection names the rule and quotes at most the identity', () => {
  const result = verify([makeLeaf({}, names(uri('spiffe://other.example/cluster/c1/agent')))]);
  assert.ok(
    !result.ok &&
      result.message.includes('spiffe://other.example/cluster/c1/agent') &&
      result.message.includes('relay.example'),
  );
});

test('servers are verified by the dialled name and never by a common name', () => {
  const serverLeaf = (...list: Parameters<typeof sequence>): Uint8Array =>
    makeLeaf(
      { subject: name('relay.example') },
      {
        extendedKeyUsage: extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
        ...(list.length > 0 ? names(...list) : { subjectAltName: undefined }),
      },
    );
  const server = (serverName: string, leaf: Uint8Array): string => {
    const result = verifyPeer({ purpose: 'server', serverName, chain: [leaf], roots, now: NOW });
    return result.ok ? String(result.identity) : result.reason;
  };
  const leaf = serverLeaf(
    dns('relay.example'),
    dns('*.svc.example'),
    ip(10, 0, 0, 1),
    ip(0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), 1),
  );
  for (const good of ['relay.example', 'RELAY.example', 'a.svc.example', '10.0.0.1', '2001:db8::1'])
    assert.is(server(good, leaf), good);
  for (const bad of [
    'relay.example.',
    'x.relay.example',
    'svc.example',
    'a.b.svc.example',
    '*.svc.example.org',
    '10.0.0.2',
    '::1',
    '',
  ]) {
    assert.is(server(bad, leaf), 'server-name', bad);
  }
  assert.is(server('relay.example', serverLeaf()), 'server-name');
  assert.is(server('relay.example', makeLeaf({}, names(dns('relay.example')))), 'extended-key-usage');
  assert.is(
    server('relay.example', makeLeaf({}, { ...names(dns('relay.example')), extendedKeyUsage: undefined })),
    'extended-key-usage',
  );
});

test('a server certificate is rejected for an agent, and vice versa', () => {
  const both = verifyPeer({ purpose: 'server', serverName: 'c1', chain: [makeLeaf()], roots, now: NOW });
  assert.is(both.ok ? 'accepted' : both.reason, 'extended-key-usage');
});

test.run();
