/** Roots, intermediates, agents and servers issued in order, each verified by this package, node:crypto and openssl. */
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { oid, sequence } from '../../src/asn1/der-build.ts';
import { OID } from '../../src/asn1/oids.ts';
import { type Certificate, readCertificates, writeCertificates } from '../../src/certificate/certificate.ts';
import { KEY_USAGE } from '../../src/certificate/extensions.ts';
import { trustBundle } from '../../src/certificate/trust-bundle.ts';
import { authority, type CertificateAuthority, readAuthority } from '../../src/issue/authority.ts';
import { createIntermediate, type IntermediateOptions } from '../../src/issue/create-intermediate.ts';
import { createRoot } from '../../src/issue/create-root.ts';
import { ipOctets } from '../../src/issue/ip-octets.ts';
import { issueAgentCertificate } from '../../src/issue/issue-agent-certificate.ts';
import { issueServerCertificate } from '../../src/issue/issue-server-certificate.ts';
import { generateKey } from '../../src/key/generate-key.ts';
import { writePrivateKey } from '../../src/key/private-key.ts';
import { PkiError } from '../../src/pki-error.ts';
import type { PkiErrorCode } from '../../src/pki-error-code.ts';
import { createCsr } from '../../src/request/create-csr.ts';
import { agentIdentity } from '../../src/spiffe/agent-identity.ts';
import { spiffeId, trustDomain } from '../../src/spiffe/spiffe-id.ts';
import { acceptIssued } from '../../src/verify/accept-issued.ts';
import { findPath } from '../../src/verify/find-path.ts';
import { isForServer } from '../../src/verify/server-name.ts';
import { verifyPeer } from '../../src/verify/verify-peer.ts';
import { authorityExtensions, craftCertificate, name } from '../crafted.ts';
import { nativeUsage } from '../native-usage.ts';
import { ecKey, rsaKey } from '../test-keys.ts';

const DAY = 86_400_000;
const NOW = new Date('2030-06-15T12:00:00.500Z');
const later = (days: number): Date => new Date(NOW.getTime() + days * DAY);
const DOMAIN = trustDomain('relay.example');
const IDENTITY = agentIdentity(DOMAIN, 'c1');
const [rootKey, caKey, agentKey] = await Promise.all([rsaKey('root'), rsaKey('ca'), rsaKey('agent')]);
const root = await createRoot({ commonName: 'relay root', trustDomain: DOMAIN, days: 100, now: NOW, key: rootKey });
const roots = trustBundle([root.certificate]);
const csrPem = await createCsr({ key: agentKey, uri: IDENTITY });

async function intermediate(changes: Partial<IntermediateOptions> = {}): Promise<CertificateAuthority> {
  const options = {
    ca: root,
    csrPem: await createCsr({ key: caKey }),
    commonName: 'c1',
    trustDomain: DOMAIN,
    constrained: true,
    days: 50,
    now: NOW,
  };
  const made = await createIntermediate({ ...options, ...changes });
  if (!made.ok) throw new Error(made.message);
  return authority(made.certificate, caKey, []);
}
async function fails(code: PkiErrorCode, action: () => Promise<unknown>): Promise<void> {
  const error = await action().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PkiError && error.code === code, String(error));
}

/** Whether openssl accepts the chain for `purpose` at the test's time; undefined if it is not installed. */
function opensslAccepts(chain: readonly Certificate[], purpose: string): boolean | undefined {
  if (spawnSync('openssl', ['version']).status !== 0) return undefined;
  using folder = temporaryFolder();
  const file = (name: string, certificates: readonly Certificate[]): string => {
    const path = join(folder.path, name);
    writeFileSync(path, writeCertificates(certificates));
    return path;
  };
  const [leaf, ...above] = chain;
  assert.ok(leaf);
  const untrusted = above.length > 0 ? ['-untrusted', file('above.pem', above)] : [];
  const files = ['-CAfile', file('root.pem', [root.certificate]), ...untrusted, file('leaf.pem', [leaf])];
  return (
    spawnSync('openssl', [
      'verify',
      '-x509_strict',
      '-attime',
      String(Math.ceil(NOW.getTime() / 1000)),
      '-purpose',
      purpose,
      ...files,
    ]).status === 0
  );
}

test('keys have the sizes of their purposes', async () => {
  for (const [purpose, bits] of [
    ['agent', 2048],
    ['relay-server', 2048],
    ['relay-ca', 3072],
  ] as const) {
    const key = await generateKey(purpose);
    assert.is(
      new X509Certificate(
        (await createRoot({ commonName: purpose, trustDomain: DOMAIN, days: 1, now: NOW, key })).certificate.der,
      ).publicKey.asymmetricKeyDetails?.modulusLength,
      bits,
    );
  }
});

test('a root signs itself, may sign CAs one level deep, and begins five minutes ago', () => {
  const { extensions, notBefore, notAfter } = root.certificate;
  assert.equal(extensions.basicConstraints, { ca: true, pathLength: 1 });
  assert.equal([...(extensions.keyUsage ?? [])], [KEY_USAGE.keyCertSign, KEY_USAGE.cRLSign]);
  assert.is(notBefore.toISOString(), '2030-06-15T11:55:00.000Z');
  assert.is(notAfter.toISOString(), '2030-09-23T12:00:00.000Z');
  const native = new X509Certificate(root.certificate.der);
  assert.ok(native.ca && native.verify(native.publicKey));
  assert.is(native.subjectAltName, 'URI:spiffe://relay.example');
});

test('an intermediate signs leaves only and only of its trust domain', async () => {
  const ca = await intermediate();
  const { extensions } = ca.certificate;
  assert.equal(extensions.basicConstraints, { ca: true, pathLength: 0 });
  assert.ok(extensions.critical.has(OID.nameConstraints));
  const good = await issueAgentCertificate({ ca, csrPem, identity: IDENTITY, now: NOW });
  const foreign = await issueAgentCertificate({
    ca,
    csrPem,
    identity: agentIdentity(trustDomain('other.example'), 'c1'),
    now: NOW,
  });
  assert.ok(good.ok && foreign.ok);
  if (!good.ok || !foreign.ok) return;
  assert.is(readCertificates(good.chainPem, 'chain', { max: 3 }).length, 2);
  const peer = verifyPeer({ purpose: 'agent', trustDomain: DOMAIN, chain: good.chainPem, roots, now: NOW });
  assert.ok(peer.ok && peer.cluster === 'c1' && peer.path.length === 3, JSON.stringify(peer));
  const failure = verifyPeer({
    purpose: 'agent',
    trustDomain: trustDomain('other.example'),
    chain: foreign.chainPem,
    roots,
    now: NOW,
  });
  assert.is(failure.ok ? 'accepted' : failure.reason, 'name-constraints');
  assert.is(opensslAccepts([good.certificate, ca.certificate], 'sslclient') ?? true, true);
  assert.is(opensslAccepts([foreign.certificate, ca.certificate], 'sslclient') ?? false, false);
});

test('an unconstrained intermediate has no name constraints', async () => {
  const ca = await intermediate({ constrained: false });
  assert.is(ca.certificate.extensions.nameConstraints, undefined);
});

test('an intermediate signs no CA below it', async () => {
  const ca = await intermediate();
  await fails('RELAY_E_PKI_AUTHORITY', () => intermediate({ ca }));
});

test('nothing issued outlives its issuer', async () => {
  const ca = await intermediate({ days: 10 });
  const long = await intermediate({ days: 1000 });
  const agent = await issueAgentCertificate({ ca, csrPem, identity: IDENTITY, now: NOW });
  const server = await issueServerCertificate({ ca, key: agentKey, dnsNames: ['a.example'], days: 400, now: later(5) });
  assert.ok(agent.ok && server.ok);
  if (!agent.ok || !server.ok) return;
  assert.equal(agent.certificate.notAfter, ca.certificate.notAfter);
  assert.equal(server.certificate.notAfter, ca.certificate.notAfter);
  assert.equal(long.certificate.notAfter, root.certificate.notAfter);
});

test('a CA that expired, has not begun, or is not a CA signs nothing', async () => {
  const issue = (ca: CertificateAuthority, now: Date): Promise<unknown> =>
    issueAgentCertificate({ ca, csrPem, identity: IDENTITY, now });
  await fails('RELAY_E_PKI_AUTHORITY', () => issue(root, later(101)));
  await fails('RELAY_E_PKI_AUTHORITY', () => issue(root, later(-1)));
  await fails('RELAY_E_PKI_AUTHORITY', () =>
    issueServerCertificate({ ca: root, key: agentKey, dnsNames: ['a'], now: later(101) }),
  );
  await fails('RELAY_E_PKI_AUTHORITY', () => intermediate({ now: later(101) }));
  const leaf = await issueAgentCertificate({ ca: root, csrPem, identity: IDENTITY, now: NOW });
  assert.ok(leaf.ok);
  if (!leaf.ok) return;
  const pems = { certificatePem: leaf.certificatePem, keyPem: writePrivateKey(agentKey) };
  await fails('RELAY_E_PKI_AUTHORITY', async () => readAuthority(pems));
  await fails('RELAY_E_PKI_AUTHORITY', async () =>
    readAuthority({ certificatePem: writeCertificates([root.certificate]), keyPem: writePrivateKey(caKey) }),
  );
});

test('an authority is read from PEM; its intermediates are sent along and its root is not', async () => {
  const ca = await intermediate({ constrained: false });
  const certificatePem = writeCertificates([ca.certificate, root.certificate]);
  const read = readAuthority({ certificatePem, keyPem: writePrivateKey(caKey) });
  assert.equal(read.intermediates, []);
  const issued = await issueServerCertificate({ ca: read, key: agentKey, dnsNames: ['relay.example'], now: NOW });
  assert.ok(issued.ok && readCertificates(issued.chainPem, 'chain', { max: 4 }).length === 2);
});

test("a user's own EC authority with any name also signs", async () => {
  const key = await ecKey('byo', 'secp384r1');
  const subject = name('Käse  & Söhne');
  const der = craftCertificate({
    key,
    issuerKey: key,
    subject,
    issuer: subject,
    digest: 'sha384',
    algorithm: sequence(oid(OID.ecdsaWithSha384)),
    extensions: authorityExtensions(key, key),
  });
  const ca = readAuthority({ certificatePem: writeCertificates([{ der }]), keyPem: writePrivateKey(key) });
  const issued = await issueAgentCertificate({ ca, csrPem, identity: IDENTITY, now: NOW });
  assert.ok(issued.ok);
  if (!issued.ok) return;
  assert.equal(issued.certificate.issuer.raw, ca.certificate.subject.raw);
  const found = findPath(issued.certificate, [], [ca.certificate], {
    usage: 'client',
    now: NOW,
    leafGrace: 0,
    maxIntermediates: 5,
  });
  assert.ok(found.ok, JSON.stringify(found));
  assert.ok(new X509Certificate(issued.certificate.der).verify(new X509Certificate(der).publicKey));
});

test('servers get their names, serverAuth and nothing else', async () => {
  const issued = await issueServerCertificate({
    ca: root,
    csrPem,
    dnsNames: ['relay.meshrelay.svc', '*.relay.example', 'localhost'],
    ipAddresses: ['127.0.0.1', '::1', '2001:db8::1:0:0:7'],
    now: NOW,
  });
  assert.ok(issued.ok);
  if (!issued.ok) return;
  const native = new X509Certificate(issued.certificate.der);
  assert.equal(native.keyUsage, nativeUsage(OID.serverAuth));
  for (const host of ['relay.meshrelay.svc', 'localhost']) assert.is(native.checkHost(host) !== undefined, true, host);
  for (const address of ['127.0.0.1', '::1', '2001:db8::1:0:0:7'])
    assert.is(native.checkIP(address) !== undefined, true, address);
  assert.ok(isForServer(issued.certificate, 'x.relay.example'));
  assert.is(native.ca, false);
  assert.is(opensslAccepts([issued.certificate], 'sslserver') ?? true, true);
  assert.is(opensslAccepts([issued.certificate], 'sslclient') ?? false, false);
});

test('requests that no template allows are rejected before anything is signed', async () => {
  const server =
    (more: object): (() => Promise<unknown>) =>
    () =>
      issueServerCertificate({ ca: root, key: agentKey, now: NOW, ...more });
  await fails('RELAY_E_PKI_REQUEST', server({}));
  for (const dnsName of [
    '',
    '*',
    '*.com',
    'a_b',
    'a..b',
    '-a',
    'a b',
    'a\0b',
    'é.example',
    `${'a'.repeat(64)}.example`,
  ]) {
    await fails('RELAY_E_PKI_REQUEST', server({ dnsNames: ['ok.example', dnsName] }));
  }
  for (const address of ['', '1.2.3', '1.2.3.256', 'fe80::1%eth0', ':::', 'localhost'])
    await fails('RELAY_E_PKI_REQUEST', server({ ipAddresses: [address] }));
  for (const days of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 40_000])
    await fails('RELAY_E_PKI_REQUEST', server({ dnsNames: ['a.example'], days }));
  await fails('RELAY_E_PKI_REQUEST', () =>
    issueAgentCertificate({ ca: root, csrPem, identity: spiffeId('spiffe://relay.example/ns/x/sa/y'), now: NOW }),
  );
  const weak = await rsaKey('weak', 1024);
  await fails('RELAY_E_PKI_KEY', () =>
    issueServerCertificate({ ca: root, key: weak, dnsNames: ['a.example'], now: NOW }),
  );
});

test('IPv6 addresses become their sixteen octets', () => {
  const hex = (address: string): string =>
    [...ipOctets(address)].map((octet) => octet.toString(16).padStart(2, '0')).join('');
  assert.is(hex('::'), '0'.repeat(32));
  assert.is(hex('::ffff:1.2.3.4'), `${'0'.repeat(20)}ffff01020304`);
  assert.is(hex('1:2:3:4:5:6:7:8'), '00010002000300040005000600070008');
  assert.is(hex('fe80::a'), `fe80${'0'.repeat(27)}a`);
});

test('an agent accepts only a certificate that matches its request', async () => {
  const issue = async (identity = IDENTITY, pem = csrPem): Promise<string> => {
    const issued = await issueAgentCertificate({ ca: root, csrPem: pem, identity, now: NOW });
    if (!issued.ok) throw new Error(issued.message);
    return issued.chainPem;
  };
  const requested = { roots, key: agentKey, identity: IDENTITY, now: NOW };
  const reason = (chainPem: string, changes: object = {}): string => {
    const result = acceptIssued({ ...requested, chainPem, ...changes });
    return result.ok ? 'accepted' : result.reason;
  };
  const good = await issue();
  assert.is(reason(good), 'accepted');
  assert.is(reason(await issue(agentIdentity(DOMAIN, 'c2'))), 'identity');
  assert.is(reason(await issue(agentIdentity(trustDomain('other.example'), 'c1'))), 'trust-domain');
  assert.is(reason(await issue(IDENTITY, await createCsr({ key: caKey }))), 'public-key');
  assert.is(reason(good, { roots: trustBundle([]) }), 'untrusted');
  assert.is(reason(good, { now: later(31) }), 'expired');
  assert.is(reason(good.slice(0, -40)), 'malformed');
  assert.is(reason(`${good}${writePrivateKey(agentKey)}`), 'malformed');
});

test.run();
