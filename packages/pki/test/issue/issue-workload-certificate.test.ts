/** Certificates of workloads, verified by this package, by node:crypto and by openssl. */
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { OID } from '../../src/asn1/oids.ts';
import { readCertificates, writeCertificates } from '../../src/certificate/certificate.ts';
import { trustBundle } from '../../src/certificate/trust-bundle.ts';
import { type CertificateAuthority, readAuthority } from '../../src/issue/authority.ts';
import { createIntermediate } from '../../src/issue/create-intermediate.ts';
import { createRoot } from '../../src/issue/create-root.ts';
import { issueWorkloadCertificate } from '../../src/issue/issue-workload-certificate.ts';
import { generateKey } from '../../src/key/generate-key.ts';
import { writePrivateKey } from '../../src/key/private-key.ts';
import { createCsr } from '../../src/request/create-csr.ts';
import { formatSpiffeId, spiffeId, trustDomain } from '../../src/spiffe/spiffe-id.ts';
import { readSvid } from '../../src/verify/svid.ts';
import { verifyClient } from '../../src/verify/verify-client.ts';
import { rsaKey } from '../test-keys.ts';

const HOUR = 3_600_000;
const NOW = new Date('2030-06-15T12:00:00Z');
const DOMAIN = trustDomain('east.example');
const IDENTITY = formatSpiffeId(DOMAIN, 'ns', 'shop', 'sa', 'cart');
const root = await createRoot({
  commonName: 'root',
  trustDomain: trustDomain('shop.meshrelay'),
  days: 3650,
  now: NOW,
  key: await rsaKey('root'),
});
const roots = trustBundle([root.certificate]);
const key = await generateKey('workload');

/** As in an agent: with its own key, signed under the root, read from PEM. */
async function intermediate(days = 365): Promise<CertificateAuthority> {
  const caKey = await rsaKey('ca');
  const csrPem = await createCsr({ key: caKey });
  const made = await createIntermediate({
    ca: root,
    csrPem,
    commonName: 'east',
    trustDomain: DOMAIN,
    constrained: true,
    days,
    now: NOW,
  });
  if (!made.ok) throw new Error(made.message);
  return readAuthority({ certificatePem: made.chainPem, keyPem: writePrivateKey(caKey) });
}

test('it is an SVID for clients and servers, presented with its signing CA', async () => {
  const ca = await intermediate();
  const { certificate, chainPem } = await issueWorkloadCertificate({ ca, key, identity: IDENTITY, now: NOW });
  assert.equal(readSvid(certificate, [ca.certificate]), { ok: true, identity: IDENTITY });
  assert.equal([...(certificate.extensions.extendedKeyUsage ?? [])], [OID.clientAuth, OID.serverAuth]);
  assert.is(certificate.notAfter.getTime() - NOW.getTime(), 24 * HOUR);
  assert.is(certificate.publicKey.kind.type, 'ec');
  assert.equal(
    readCertificates(chainPem, 'chain', { max: 3 }).map(({ fingerprint }) => fingerprint),
    [certificate.fingerprint, ca.certificate.fingerprint],
  );
  const verified = verifyClient({ chain: chainPem, roots, now: NOW });
  assert.ok(verified.ok, JSON.stringify(verified));
  const native = new X509Certificate(certificate.der);
  assert.is(native.subjectAltName, `URI:${IDENTITY}`);
  assert.ok(native.checkPrivateKey(key));
});

test('openssl accepts it at both ends of TLS', async () => {
  if (spawnSync('openssl', ['version']).status !== 0) return;
  using folder = temporaryFolder();
  const ca = await intermediate();
  const { chainPem } = await issueWorkloadCertificate({ ca, key, identity: IDENTITY, now: NOW });
  const file = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  const files = ['-CAfile', file('root.pem', writeCertificates(roots.roots))];
  files.push('-untrusted', file('ca.pem', writeCertificates([ca.certificate])), file('chain.pem', chainPem));
  for (const purpose of ['sslclient', 'sslserver']) {
    const at = ['-attime', String(NOW.getTime() / 1000), '-purpose', purpose];
    const { status, stderr } = spawnSync('openssl', ['verify', '-x509_strict', ...at, ...files]);
    assert.is(status, 0, `${purpose}: ${String(stderr)}`);
  }
});

test('a root may also sign it, and is then not presented', async () => {
  const own = await createRoot({
    commonName: 'own',
    trustDomain: DOMAIN,
    days: 10,
    now: NOW,
    key: await generateKey('workload-ca'),
  });
  const { chainPem } = await issueWorkloadCertificate({ ca: own, key, identity: IDENTITY, now: NOW });
  assert.is(readCertificates(chainPem, 'chain', { max: 3 }).length, 1);
  assert.ok(verifyClient({ chain: chainPem, roots: trustBundle([own.certificate]), now: NOW }).ok);
});

test('it does not outlive its CA', async () => {
  const ca = await intermediate(0.5);
  const { certificate } = await issueWorkloadCertificate({ ca, key, identity: IDENTITY, now: NOW });
  assert.equal(certificate.notAfter, ca.certificate.notAfter);
});

test('identities of another trust domain, without a path, or from an expired CA are rejected', async () => {
  const ca = await intermediate();
  const failure = (identity: string, now: Date): Promise<string> =>
    issueWorkloadCertificate({ ca, key, identity: spiffeId(identity), now }).then(() => 'issued', String);
  assert.match(await failure('spiffe://west.example/ns/shop/sa/cart', NOW), 'trust domain, east.example');
  assert.match(await failure('spiffe://east.example', NOW), 'is not an identity');
  assert.match(await failure(IDENTITY, new Date(NOW.getTime() + 366 * 24 * HOUR)), 'expired at');
});

test.run();
