/** The requester's check of an intermediate CA: it is used only if it matches the request. */
import { Buffer } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { type Certificate, writeCertificates } from '../certificate/certificate.ts';
import { readTrustBundle, writeTrustBundle } from '../certificate/trust-bundle.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { isMalformed } from '../pki-error.ts';
import { formatSpiffeId, type TrustDomain } from '../spiffe/spiffe-id.ts';
import { findTrusted } from './find-trusted.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** The response, and the values it must match. */
export interface AcceptIntermediateOptions {
  /** The CA, then the certificates between it and the root. */
  readonly chainPem: string;
  readonly rootsPem: string;
  /** The key of the request. */
  readonly key: KeyObject;
  readonly trustDomain: TrustDomain;
  readonly now: Date;
}

/** A CA in the form for its Secret. */
export interface AcceptedIntermediate {
  readonly ok: true;
  readonly certificate: Certificate;
  /** The CA alone. */
  readonly certificatePem: string;
  /** The CA and everything above it, including its root. */
  readonly chainPem: string;
  /** All roots for the workloads. */
  readonly rootsPem: string;
}

/**
 * Accepts a CA for exactly this key and trust domain that chains to one of the roots and is valid now. Never throws for
 * the content of the response.
 */
export function acceptIntermediate(options: AcceptIntermediateOptions): AcceptedIntermediate | VerifyFailure {
  try {
    return verify(options);
  } catch (error) {
    if (isMalformed(error)) return refuse('malformed', error.message);
    throw error;
  }
}

function verify({
  chainPem,
  rootsPem,
  key,
  trustDomain,
  now,
}: AcceptIntermediateOptions): AcceptedIntermediate | VerifyFailure {
  const roots = readTrustBundle(rootsPem);
  const trusted = findTrusted({ chain: chainPem, roots, now }, { usage: 'ca', leafGrace: 0 });
  if (!trusted.ok) return trusted;
  const [certificate] = trusted.path;
  if (!Buffer.from(publicKeyDer(key)).equals(certificate.publicKey.der))
    return refuse('public-key', 'intermediate CA: it is for another key than the request');
  const identity = formatSpiffeId(trustDomain);
  const names = (certificate.extensions.subjectAltNames ?? []).map((name) =>
    name.kind === 'uri' ? name.value : name.kind,
  );
  if (names.join() !== identity)
    return refuse('identity', `intermediate CA: it is for ${names.join() || 'no identity'}, expected ${identity}`);
  return {
    ok: true,
    certificate,
    certificatePem: writeCertificates([certificate]),
    chainPem: writeCertificates(trusted.path),
    rootsPem: writeTrustBundle(roots),
  };
}
