/** Server certificates of the relay, for the names that agents dial. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readDer } from '../asn1/der-node.ts';
import { OID } from '../asn1/oids.ts';
import { isDnsName } from '../certificate/general-name.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { keyWeakness, type PublicKey, readPublicKey } from '../key/public-key.ts';
import { PkiError } from '../pki-error.ts';
import { MAX_RSA_BITS, readCsr } from '../request/read-csr.ts';
import { type CertificateAuthority, refuseUnlessValid } from './authority.ts';
import { buildCertificate } from './build-certificate.ts';
import type { IssueResult } from './create-intermediate.ts';
import { ORGANIZATION } from './create-root.ts';
import { ipOctets } from './ip-octets.ts';
import { issued, validity } from './issued.ts';

/**
 * Certificate options: the key as a request (if its owner keeps it) or directly (either half), and at least one
 * name.
 */
export type ServerCertificateOptions = {
  readonly ca: CertificateAuthority;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  /** Common name of its subject, for readers only; verification uses the other names. Default: `relay server`. */
  readonly commonName?: string;
  /** Lifetime; 90 if omitted. */
  readonly days?: number;
  readonly now: Date;
} & ({ readonly csrPem: string } | { readonly key: KeyObject });

/**
 * Signs a server's certificate: CA:FALSE, digitalSignature, serverAuth, the given names.
 * @throws RELAY_E_PKI_AUTHORITY when `ca` is not valid at `now`; RELAY_E_PKI_REQUEST without a name or for an invalid
 *   one; RELAY_E_PKI_KEY when a directly given key is too weak
 */
export async function issueServerCertificate(options: ServerCertificateOptions): Promise<IssueResult> {
  const { ca, now, dnsNames = [], ipAddresses = [] } = options;
  refuseUnlessValid(ca, now);
  refuseNames(dnsNames, ipAddresses);
  const csr =
    'csrPem' in options ? readCsr(options.csrPem) : { ok: true as const, publicKey: readStrongKey(options.key) };
  if (!csr.ok) return csr;
  const certificate = await buildCertificate(
    {
      subject: { organization: ORGANIZATION, commonName: options.commonName ?? 'relay server' },
      publicKey: csr.publicKey,
      ...validity(now, options.days ?? 90, ca.certificate),
      names: { dns: dnsNames, ip: ipAddresses },
      extendedKeyUsage: [OID.serverAuth],
    },
    ca,
  );
  return { ok: true, ...issued(certificate, ca) };
}

function refuseNames(dnsNames: readonly string[], ipAddresses: readonly string[]): void {
  if (dnsNames.length + ipAddresses.length === 0) {
    throw new PkiError(
      'RELAY_E_PKI_REQUEST',
      'server certificate: give at least one DNS name or IP address agents dial',
    );
  }
  for (const name of dnsNames) {
    if (!isDnsName(name)) throw new PkiError('RELAY_E_PKI_REQUEST', `server certificate: not a DNS name: ${name}`);
  }
  for (const address of ipAddresses) ipOctets(address);
}

function readStrongKey(key: KeyObject): PublicKey {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const read = readPublicKey(readDer(publicKeyDer(publicKey), 'public key'), 'public key');
  const weakness = keyWeakness(read.kind, MAX_RSA_BITS);
  if (weakness !== undefined) throw new PkiError('RELAY_E_PKI_KEY', `server certificate: ${weakness}`);
  return read;
}
