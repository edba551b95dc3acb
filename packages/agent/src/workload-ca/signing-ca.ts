/** The CA from which an agent issues, as its Secret stores it: parsed once and verified before use. */
import { hash } from 'node:crypto';
import type { SecretData } from '@meshrelay/kube';
import {
  acceptIntermediate,
  type CertificateAuthority,
  caTrustDomain,
  isSelfIssued,
  PkiError,
  readAuthority,
  readTrustBundle,
  type TrustDomain,
  writeTrustBundle,
} from '@meshrelay/pki';

/** Signer of the workload certificates, and the roots with which workloads verify each other. */
export interface SigningCa {
  readonly authority: CertificateAuthority;
  /** The CA signs only identities of this trust domain. */
  readonly trustDomain: TrustDomain;
  readonly rootsPem: string;
  /** Equal for the same CA and roots; reveals nothing of the key. */
  readonly id: string;
}

/** Keys of Istio's Secret; the usual keys of certificate Secrets also work. */
const KEYS = {
  certificate: ['cert-chain.pem', 'ca-cert.pem', 'tls.crt'],
  key: ['ca-key.pem', 'tls.key'],
  roots: ['root-cert.pem', 'ca.crt'],
} as const;

/** @throws Error or PkiError that describes the problem; messages contain nothing of a key */
export function readSigningCa(data: SecretData, now: Date): SigningCa {
  const [certificatePem, keyPem, roots] = [KEYS.certificate, KEYS.key, KEYS.roots].map((names) => {
    const found = names.map((name) => data[name]).find((text) => text !== undefined && text !== '');
    if (found === undefined) throw new Error(`it lacks ${names.join(' or ')}`);
    return found;
  }) as [string, string, string];
  const authority = readAuthority({ certificatePem, keyPem });
  const trustDomain = caTrustDomain(authority.certificate);
  if (trustDomain === undefined)
    throw new Error('its certificate names no trust domain: expected one URI, spiffe://TRUST-DOMAIN');
  const bundle = readTrustBundle(roots);
  refuseUnlessTrusted({ authority, trustDomain, certificatePem, rootsPem: roots, now });
  const rootsPem = writeTrustBundle(bundle);
  return { authority, trustDomain, rootsPem, id: idOf(authority, rootsPem) };
}

/** Otherwise every peer would reject the certificates that it signs. */
function refuseUnlessTrusted({
  authority: { certificate, key },
  trustDomain,
  certificatePem,
  rootsPem,
  now,
}: Pick<SigningCa, 'authority' | 'trustDomain' | 'rootsPem'> & {
  readonly certificatePem: string;
  readonly now: Date;
}): void {
  if (isSelfIssued(certificate)) {
    const { roots } = readTrustBundle(rootsPem);
    if (roots.some(({ fingerprint }) => fingerprint === certificate.fingerprint)) return;
    throw new Error('it signs itself and is not among its roots');
  }
  const result = acceptIntermediate({ chainPem: certificatePem, rootsPem, key, trustDomain, now });
  if (!result.ok) throw new PkiError('RELAY_E_PKI_AUTHORITY', result.message, { next: result.next });
}

function idOf({ certificate, intermediates }: CertificateAuthority, rootsPem: string): string {
  const parts = [...[certificate, ...intermediates].map(({ fingerprint }) => fingerprint), rootsPem];
  return hash('sha256', parts.join('\n'), 'hex');
}
