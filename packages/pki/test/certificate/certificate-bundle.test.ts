/** Secrets of type kubernetes.io/tls, read and written. */
import { Buffer } from 'node:buffer';
import { assert, test } from '@meshrelay/testing';
import { certificateBundle, writeCertificateSecret } from '../../src/certificate/certificate-bundle.ts';
import { readTrustBundle } from '../../src/certificate/trust-bundle.ts';
import { createRoot } from '../../src/issue/create-root.ts';
import { issueServerCertificate } from '../../src/issue/issue-server-certificate.ts';
import { writePrivateKey } from '../../src/key/private-key.ts';
import { PkiError } from '../../src/pki-error.ts';
import type { PkiErrorCode } from '../../src/pki-error-code.ts';
import { trustDomain } from '../../src/spiffe/spiffe-id.ts';
import { ecKey, rsaKey } from '../test-keys.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const [caKey, key] = await Promise.all([rsaKey('ca'), rsaKey('server')]);
const ca = await createRoot({
  commonName: 'root',
  trustDomain: trustDomain('d.example'),
  days: 100,
  now: NOW,
  key: caKey,
});
const issued = await issueServerCertificate({ ca, key, dnsNames: ['relay.example'], now: NOW });
if (!issued.ok) throw new Error(issued.message);
const secret = writeCertificateSecret({
  chain: [issued.certificate],
  key,
  roots: readTrustBundle(writePem(ca.certificate.der)),
});

function writePem(der: Uint8Array): string {
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;
}
const fails = (code: PkiErrorCode, data: Parameters<typeof certificateBundle>[0]): void =>
  assert.throws(
    () => certificateBundle(data),
    (error: unknown) => error instanceof PkiError && error.code === code,
  );

test('a written bundle is read back, from text and from bytes', () => {
  const asBytes = Object.fromEntries(Object.entries(secret).map(([name, text]) => [name, Buffer.from(text)]));
  for (const data of [{ ...secret }, asBytes]) {
    const bundle = certificateBundle(data);
    assert.is(bundle.chain[0].fingerprint, issued.certificate.fingerprint);
    assert.is(bundle.roots?.roots[0]?.fingerprint, ca.certificate.fingerprint);
    assert.ok(bundle.key.equals(key));
  }
});

test('ca.crt may be missing, and may contain two roots', () => {
  assert.is(certificateBundle({ ...secret, 'ca.crt': undefined }).roots, undefined);
  const two = `${secret['ca.crt']}\n# next\n${issued.certificatePem}`;
  assert.is(certificateBundle({ ...secret, 'ca.crt': two }).roots?.roots.length, 2);
});

test('a missing key of the Secret is named', () => {
  assert.throws(() => certificateBundle({ ...secret, 'tls.key': undefined }), /tls\.key is missing/);
  assert.throws(() => certificateBundle({}), /tls\.crt is missing/);
});

test('rejects a key that does not match the certificate, and quotes neither', async () => {
  fails('RELAY_E_PKI_KEY', { ...secret, 'tls.key': writePrivateKey(caKey) });
  fails('RELAY_E_PKI_KEY', { ...secret, 'tls.key': writePrivateKey(await ecKey('x', 'prime256v1')) });
});

test('reads PKCS#8, PKCS#1 and SEC1 keys, and rejects encrypted ones with the next action', async () => {
  const pkcs1 = key.export({ type: 'pkcs1', format: 'pem' }).toString();
  assert.ok(certificateBundle({ ...secret, 'tls.key': pkcs1 }).key.equals(key));
  const sec1 = (await ecKey('x', 'prime256v1')).export({ type: 'sec1', format: 'pem' }).toString();
  fails('RELAY_E_PKI_KEY', { ...secret, 'tls.key': sec1 });
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    const encrypted = key.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString();
    assert.throws(() => certificateBundle({ ...secret, 'tls.key': encrypted }), /encrypted; decrypt it first/);
  }
});

test('rejects unreadable keys and certificates without quoting them', () => {
  const broken = writePrivateKey(key).replace(/MII.{20}/, `MII${'A'.repeat(20)}`);
  const isSilent = (error: unknown): boolean =>
    error instanceof PkiError &&
    error.code === 'RELAY_E_PKI_KEY' &&
    !String(error.stack).includes('MIIAAAA') &&
    error.cause === undefined;
  assert.throws(() => certificateBundle({ ...secret, 'tls.key': broken }), isSilent);
  fails('RELAY_E_PKI_MALFORMED', { ...secret, 'tls.crt': 'x' });
  fails('RELAY_E_PKI_MALFORMED', { ...secret, 'ca.crt': '' });
  fails('RELAY_E_PKI_MALFORMED', { ...secret, 'tls.key': 'x'.repeat(20_000) });
  fails('RELAY_E_PKI_KEY', { ...secret, 'tls.key': issued.certificatePem });
});

test.run();
