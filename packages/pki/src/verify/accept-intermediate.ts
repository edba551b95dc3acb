/** The requester's side of an intermediate CA: one that came back is used only where it is what was asked for. */
import { Buffer } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import { type Certificate, writeCertificates } from '../certificate/certificate.ts';
import { readTrustBundle, writeTrustBundle } from '../certificate/trust-bundle.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { isMalformed } from '../pki-error.ts';
import { formatSpiffeId, type TrustDomain } from '../spiffe/spiffe-id.ts';
import { findTrusted } from './find-trusted.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';

/** What came back, and what it must match. */
export interface AcceptIntermediateOptions {
  /** The CA, then what is between it and the root. */
  readonly chainPem: string;
  readonly rootsPem: string;
  /** The key the request was made with. */
  readonly key: KeyObject;
  readonly trustDomain: TrustDomain;
  readonly now: Date;
}

/** A CA as its Secret is to hold it. */
export interface AcceptedIntermediate {
  readonly ok: true;
  readonly certificate: Certificate;
  /** The CA alone. */
  readonly certificatePem: string;
  /** The CA and everything above it, the root it leads to included. */
  readonly chainPem: string;
  /** All roots, as workloads are to have them. */
  readonly rootsPem: string;
}

/** Accepts a CA for exactly this key and trust domain that leads to one of the roots and is valid now. Never throws for what was sent. */
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
    return refuse('identity', `intermediate CA: it is for ${names.join() || 'nobody'}, expected ${identity}`);
  return {
    ok: true,
    certificate,
    certificatePem: writeCertificates([certificate]),
    chainPem: writeCertificates(trusted.path),
    rootsPem: writeTrustBundle(roots),
  };
}
