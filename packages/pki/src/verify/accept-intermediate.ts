/** The requester's side of an intermediate CA: one that came back is used only where it is what was asked for. */
import { Buffer } from 'node:buffer';
import { type KeyObject, X509Certificate } from 'node:crypto';
import { type Certificate, readCertificates, writeCertificates } from '../certificate/certificate.ts';
import { readTrustBundle } from '../certificate/trust-bundle.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { isMalformed } from '../pki-error.ts';
import { formatSpiffeId, type TrustDomain } from '../spiffe/spiffe-id.ts';
import { type Refusal, refuse } from './refusal.ts';

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

const MAX_CHAIN = 6;

/** Accepts a CA for exactly this key and trust domain that leads to one of the roots and is valid now. Never throws for what was sent. */
export function acceptIntermediate(options: AcceptIntermediateOptions): AcceptedIntermediate | Refusal {
  try {
    return judge(options);
  } catch (error) {
    if (isMalformed(error)) return refuse('malformed', error.message);
    throw error;
  }
}

function judge({
  chainPem,
  rootsPem,
  key,
  trustDomain,
  now,
}: AcceptIntermediateOptions): AcceptedIntermediate | Refusal {
  const chain = readCertificates(chainPem, 'intermediate CA', { max: MAX_CHAIN });
  const { roots } = readTrustBundle(rootsPem);
  const [certificate] = chain;
  if (certificate === undefined) return refuse('malformed', 'intermediate CA: there is none');
  const { basicConstraints } = certificate.extensions;
  if (basicConstraints?.ca !== true) return refuse('not-a-ca', 'intermediate CA: it may not sign certificates');
  if (!Buffer.from(publicKeyDer(key)).equals(certificate.publicKey.der))
    return refuse('public-key', 'intermediate CA: it is for another key than the request');
  const identity = formatSpiffeId(trustDomain);
  const names = new X509Certificate(writeCertificates([certificate])).subjectAltName ?? '';
  if (names !== `URI:${identity}`)
    return refuse('identity', `intermediate CA: it is for ${names || 'nobody'}, expected ${identity}`);
  const last = chain.at(-1) ?? certificate;
  const root = roots.find((one) => isSignedBy(last, one));
  if (root === undefined)
    return refuse('untrusted', 'intermediate CA: it leads to none of the roots that came with it');
  const path = [...chain, root];
  const broken = path.findIndex((one, index) => index < path.length - 1 && !isSignedBy(one, path[index + 1] ?? root));
  if (broken >= 0) return refuse('untrusted', 'intermediate CA: a certificate of its chain is not signed by the next');
  const outside = path.find(({ notBefore, notAfter }) => now < notBefore || now > notAfter);
  if (outside !== undefined) return refuse('expired', 'intermediate CA: a certificate of its chain is not valid now');
  return {
    ok: true,
    certificate,
    certificatePem: writeCertificates([certificate]),
    chainPem: writeCertificates(path),
    rootsPem: writeCertificates(roots),
  };
}

function isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
  const [signed, signer] = [certificate, issuer].map((one) => new X509Certificate(writeCertificates([one])));
  return signed !== undefined && signer !== undefined && signed.checkIssued(signer) && signed.verify(signer.publicKey);
}
