/**
 * The rotation of the relay's root, as changes of its Secrets. First {old, new} is trusted everywhere, then everything
 * is signed under the new root, then the old root is removed.
 *
 * Each function returns the desired Secret, unchanged if it is already so: an interrupted rotation is run again.
 * Nothing here waits; between the steps the caller must check that every agent has followed.
 */
import { Buffer } from 'node:buffer';
import { type Certificate, isSelfIssued, readCertificates, writeCertificates } from '../certificate/certificate.ts';
import { readTrustBundle, trustBundle, writeTrustBundle } from '../certificate/trust-bundle.ts';
import { type CertificateAuthority, readAuthority } from '../issue/authority.ts';
import { createIntermediate } from '../issue/create-intermediate.ts';
import { createRoot } from '../issue/create-root.ts';
import { issueServerCertificate } from '../issue/issue-server-certificate.ts';
import { generateKey } from '../key/generate-key.ts';
import { writePrivateKey } from '../key/private-key.ts';
import { PkiError } from '../pki-error.ts';
import { createCsr } from '../request/create-csr.ts';
import { type SpiffeId, spiffeIdParts, type TrustDomain, trustDomain } from '../spiffe/spiffe-id.ts';

/**
 * The Secret with the next root (`tls.crt`, `tls.key`), the previous one (`previous.crt`, `previous.key`) and the
 * `phase`.
 */
export const NEXT_ROOT_SECRET = 'relay-next-root-tls-secret';

/** Phase of a rotation. */
export type RotationPhase = 'distribute' | 'switch' | 'drop';

type SecretData = Readonly<Record<string, string>>;

const ROOT_DAYS = 3650;
const SIGNING_DAYS = 1825;
const SERVER_DAYS = 365;

/**
 * A new root for the trust domain of the current one, in the phase `distribute`. @throws PkiError if the current one
 * has no key
 */
export async function newRoot(root: SecretData, now: Date): Promise<SecretData> {
  const { certificate } = authorityIn(root);
  const next = await createRoot({
    commonName: `Meshrelay relay root ${now.toISOString().slice(0, 10)}`,
    trustDomain: domainOf(certificate),
    days: ROOT_DAYS,
    now,
  });
  return {
    'tls.crt': writeCertificates([next.certificate]),
    'tls.key': writePrivateKey(next.key),
    phase: 'distribute',
  };
}

/** The phase in the next root's Secret. @throws PkiError if it is invalid */
export function phaseOf({ phase }: SecretData): RotationPhase {
  if (phase === 'distribute' || phase === 'switch' || phase === 'drop') return phase;
  throw new PkiError('RELAY_E_PKI_MALFORMED', `Secret ${NEXT_ROOT_SECRET}: phase is not distribute, switch or drop`);
}

/** The root Secret, trusting both roots. */
export function trustBoth(root: SecretData, next: SecretData): SecretData {
  const both = trustBundle([...bundleIn(root).roots, ...bundleIn({ 'ca.crt': next['tls.crt'] ?? '' }).roots]);
  return both.hash === bundleIn(root).hash ? root : { ...root, 'ca.crt': writeTrustBundle(both) };
}

/** The root Secret, trusting only the root it signs with. */
export function trustOne(root: SecretData): SecretData {
  const own = trustBundle([authorityIn(root).certificate]);
  return own.hash === bundleIn(root).hash ? root : { ...root, 'ca.crt': writeTrustBundle(own) };
}

/** The next root's Secret in the phase `switch`, with the current root in it, so that the rotation can be reverted. */
export function beginSwitch(next: SecretData, root: SecretData): SecretData {
  if (next['phase'] === 'switch') return next;
  return {
    ...next,
    phase: 'switch',
    'previous.crt': root['tls.crt'] ?? '',
    'previous.key': root['tls.key'] ?? '',
  };
}

/** The next root's Secret with both roots swapped: from here the same steps revert the rotation. */
export function turnBack(next: SecretData): SecretData {
  const {
    'tls.crt': crt = '',
    'tls.key': key = '',
    'previous.crt': before = '',
    'previous.key': beforeKey = '',
  } = next;
  return { 'tls.crt': before, 'tls.key': beforeKey, 'previous.crt': crt, 'previous.key': key, phase: 'switch' };
}

/**
 * The signing Secret with a CA under the next root. The previous one stays in `previous.crt`, since its certificates
 * are valid until they are renewed.
 */
export async function switchSigning(signing: SecretData, next: SecretData, now: Date): Promise<SecretData> {
  const root = authorityIn(next);
  if (isUnder(signing, root)) return signing;
  const key = await generateKey('relay-ca');
  const issued = await createIntermediate({
    ca: root,
    csrPem: await createCsr({ key }),
    commonName: 'Meshrelay agent issuer',
    trustDomain: domainOf(root.certificate),
    constrained: true,
    days: SIGNING_DAYS,
    now,
  });
  if (!issued.ok) throw new PkiError('RELAY_E_PKI_REQUEST', issued.message);
  const before = `${signing['tls.crt'] ?? ''}\n${signing['previous.crt'] ?? ''}`;
  return {
    'tls.crt': issued.chainPem,
    'tls.key': writePrivateKey(key),
    'ca.crt': writeCertificates([root.certificate]),
    'previous.crt': before.trim(),
  };
}

/** The signing Secret without the previous CAs. */
export function dropPreviousSigning(signing: SecretData): SecretData {
  if (signing['previous.crt'] === undefined) return signing;
  const { 'previous.crt': _, ...rest } = signing;
  return rest;
}

/** The server Secret with a certificate under the next root, for the names and addresses of the current one. */
export async function switchServer(server: SecretData, next: SecretData, now: Date): Promise<SecretData> {
  const root = authorityIn(next);
  if (isUnder(server, root)) return server;
  const names = leafIn(server).extensions.subjectAltNames ?? [];
  const key = await generateKey('relay-server');
  const issued = await issueServerCertificate({
    ca: root,
    key,
    dnsNames: names.flatMap((name) => (name.kind === 'dns' ? [name.value] : [])),
    ipAddresses: names.flatMap((name) => (name.kind === 'ip' ? [addressText(name.value)] : [])),
    days: SERVER_DAYS,
    now,
  });
  if (!issued.ok) throw new PkiError('RELAY_E_PKI_REQUEST', issued.message);
  return {
    'tls.crt': issued.chainPem,
    'tls.key': writePrivateKey(key),
    'ca.crt': writeCertificates([root.certificate]),
  };
}

/** The root Secret, signing with the next root. Its trusted roots stay. */
export function switchRoot(root: SecretData, next: SecretData): SecretData {
  if (root['tls.crt'] === next['tls.crt']) return root;
  return { ...root, 'tls.crt': next['tls.crt'] ?? '', 'tls.key': next['tls.key'] ?? '' };
}

function bundleIn(data: SecretData): ReturnType<typeof readTrustBundle> {
  return readTrustBundle(data['ca.crt'] ?? '');
}

function authorityIn(data: SecretData): CertificateAuthority {
  return readAuthority({ certificatePem: data['tls.crt'] ?? data['ca.crt'] ?? '', keyPem: data['tls.key'] ?? '' });
}

function leafIn(data: SecretData): Certificate {
  const [leaf] = readCertificates(data['tls.crt'] ?? '', 'tls.crt', { max: 10, allowText: true });
  if (leaf === undefined) throw new PkiError('RELAY_E_PKI_MALFORMED', 'tls.crt: no certificate in it');
  return leaf;
}

/** Whether the root signed the Secret's certificate; keys distinguish roots of the same name. */
function isUnder(data: SecretData, { certificate: root }: CertificateAuthority): boolean {
  const { authorityKeyIdentifier } = leafIn(data).extensions;
  const { subjectKeyIdentifier } = root.extensions;
  return (
    authorityKeyIdentifier !== undefined &&
    subjectKeyIdentifier !== undefined &&
    Buffer.from(authorityKeyIdentifier).equals(subjectKeyIdentifier)
  );
}

function domainOf(root: Certificate): TrustDomain {
  const [uri] = (root.extensions.subjectAltNames ?? []).flatMap((name) => (name.kind === 'uri' ? [name.value] : []));
  if (uri === undefined || !isSelfIssued(root))
    throw new PkiError(
      'RELAY_E_PKI_AUTHORITY',
      'root certificate: the server did not create it; rotate it where it was created',
    );
  return trustDomain(spiffeIdParts(uri as SpiffeId).trustDomain);
}

/** Text of an IP address in octets. */
function addressText(octets: Uint8Array): string {
  if (octets.length === 4) return octets.join('.');
  const words = Array.from({ length: 8 }, (_, index) => ((octets[2 * index] ?? 0) << 8) | (octets[2 * index + 1] ?? 0));
  return words.map((word) => word.toString(16)).join(':');
}
