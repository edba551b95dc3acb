/** The CA that an agent issues from, as its Secret holds it: read once, judged before it counts. */
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

/** What signs the certificates of workloads, and the roots they verify each other by. */
export interface SigningCa {
  readonly authority: CertificateAuthority;
  /** The only one of whose identities it signs. */
  readonly trustDomain: TrustDomain;
  readonly rootsPem: string;
  /** The same for the same CA and roots; of its key nothing. */
  readonly id: string;
}

/** The keys of Istio's Secret, and the usual ones of Secrets with a certificate, which do as well. */
const KEYS = {
  certificate: ['cert-chain.pem', 'ca-cert.pem', 'tls.crt'],
  key: ['ca-key.pem', 'tls.key'],
  roots: ['root-cert.pem', 'ca.crt'],
} as const;

/** @throws Error, PkiError that say what is wrong with it; nothing of a key is in their messages */
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

/** Whatever it signed would be refused by everybody else. */
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
